// std::string's searches, the flags of a stream, and C's dates.
#include <cstdio>
#include <ctime>
#include <iostream>
#include <string>
#include <unistd.h>
using namespace std;

void search(const string& s) {
    const char* sets[] = {"/", "abc", "zz", "", "./", "c"};
    for (const char* set : sets) {
        cout << (long)s.find(string(set)) << ' ' << (long)s.rfind(set) << ' ' << (long)s.rfind(set, 3) << ' '
             << (long)s.find_first_of(set) << ' ' << (long)s.find_last_of(set) << ' '
             << (long)s.find_first_not_of(set) << ' ' << (long)s.find_last_not_of(set) << '|';
    }
    cout << (s.find('q') == string::npos) << (s.rfind('/') != string::npos) << '\n';
}

int main() {
    ios_base::sync_with_stdio(false);
    cin.tie(nullptr);
    search("a/b/abc.txt");
    search("");
    search("ccc");
    string file = "images/lena.pgm";
    file.erase(file.rfind('.'));
    file.pop_back();
    file.resize(file.size() + 2, '!');
    cout << file << ' ' << file.front() << file.erase(0, 7) << '\n';

    cout.setf(ios::fixed, ios::floatfield);
    cout.precision(2);
    cout << 3.14159 << ' ';
    ios_base::fmtflags before = cout.flags();
    cout.setf(ios::scientific, ios::floatfield);
    cout << 31415.9 << ' ';
    cout.unsetf(ios::floatfield);
    cout << 3.14159 << ' ' << hex << 255 << ' ';
    cout.setf(ios::dec, ios::basefield);
    cout.setf(ios::boolalpha);
    cout.setf(ios::left, ios::adjustfield);
    cout.width(6);
    cout << 12 << true << ' ';
    cout.flags(before);
    cout << 2.0 << true << endl;

    ssize_t size = -5;
    printf("%zd %d\n", size, (int)(difftime(20, 5)));
    time_t seconds[] = {0, 951782399, 951782400, 1709164800, 1735689599, 4102444800};
    for (time_t second : seconds) {
        tm* date = gmtime(&second);
        char text[80];
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %j %a %b %e %y %T %F", date);
        printf("%s %d %d %s", text, date->tm_wday, date->tm_yday, asctime(date));
    }
    timespec now, later;
    clock_gettime(CLOCK_MONOTONIC, &now);
    timespec pause = {0, 1000};
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &later);
    printf("%d\n", later.tv_sec > now.tv_sec || later.tv_nsec > now.tv_nsec);
    cout.flush();
    fflush(stdout);
}
