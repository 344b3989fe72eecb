"""What is CUDA C and what is not: programs with the verdict that NVRTC gives, too (test_nvrtc.py asks it)."""

from . import half_cases, mistake_cases, refused_cases, right_cases, struct_cases

ACCEPTED = right_cases.ACCEPTED
ACCEPTED_PROGRAMS = right_cases.ACCEPTED_PROGRAMS + struct_cases.ACCEPTED + half_cases.ACCEPTED
REJECTED = mistake_cases.REJECTED
REJECTED_PROGRAMS = mistake_cases.REJECTED_PROGRAMS + struct_cases.REJECTED + half_cases.REJECTED
STRICTER = mistake_cases.STRICTER
TYPES = right_cases.TYPES
UNSUPPORTED = refused_cases.UNSUPPORTED + struct_cases.UNSUPPORTED
WHOLE_PROGRAMS = refused_cases.WHOLE_PROGRAMS
