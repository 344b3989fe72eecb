// <exception>, <stdexcept> and std::bad_alloc: what programs throw and catch.
#include "bits/basic_string.h"
struct exception {
    const char* text;
    exception() { text = NULL; }
    virtual const char* what() const { return text ? text : "std::exception"; }
    virtual ~exception() {}
};
#define __error(name, parent)                                                                                          \
    struct name : parent {                                                                                             \
        name() {}                                                                                                      \
        name(const char* what) { text = strdup(what); }                                                                \
        name(const string& what) { text = strdup(what.c_str()); }                                                      \
    };
__error(runtime_error, exception)
__error(range_error, runtime_error)
__error(overflow_error, runtime_error)
__error(underflow_error, runtime_error)
__error(logic_error, exception)
__error(invalid_argument, logic_error)
__error(out_of_range, logic_error)
__error(length_error, logic_error)
__error(domain_error, logic_error)
struct bad_alloc : exception {
    bad_alloc() { text = "std::bad_alloc"; }
};
