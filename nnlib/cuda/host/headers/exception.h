#include "stdexcept"
