// <fstream>: streams of files.
#include "iostream"
struct ofstream : ostream {
    ofstream() : ostream(NULL) {}
    ofstream(const char* name, int mode = 0) : ostream(NULL) { open(name, mode); }
    ofstream(const string& name, int mode = 0) : ostream(NULL) { open(name.c_str(), mode); }
    void open(const char* name, int mode = 0) { open_(name, mode & (app | ate) ? "ab" : "wb"); }
    void open(const string& name, int mode = 0) { open(name.c_str(), mode); }
};
struct ifstream : istream {
    ifstream() : istream(NULL) {}
    ifstream(const char* name, int mode = 0) : istream(NULL) { open(name, mode); }
    ifstream(const string& name, int mode = 0) : istream(NULL) { open(name.c_str(), mode); }
    void open(const char* name, int mode = 0) {
        open_(name, "rb");
        if (file && mode & ate) fseek(file, 0, SEEK_END);
    }
    void open(const string& name, int mode = 0) { open(name.c_str(), mode); }
};
