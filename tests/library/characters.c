// functions: isalpha isdigit isalnum isupper islower isspace isblank isprint isgraph iscntrl ispunct isxdigit tolower toupper
// functions: __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc isascii toascii
#include <ctype.h>

#include "check.h"

/* Which of some characters are of the kind. */
static unsigned kind(int (*is)(int))
{
    unsigned kinds = 0;
    const unsigned char characters[] = "aGzM0 \t\n~!_\x7f\xe4";
    for (int i = 0; i < 14; i++)
        kinds = 2 * kinds + (is(characters[i]) != 0);
    return 2 * kinds + (is(-1) != 0);
}

static int by_table(int character)
{
    return (*__ctype_b_loc())[character];
}

int main(void)
{
    CHECK(kind(isalpha));
    CHECK(kind(isdigit));
    CHECK(kind(isalnum));
    CHECK(kind(isupper));
    CHECK(kind(islower));
    CHECK(kind(isspace));
    CHECK(kind(isblank));
    CHECK(kind(isprint));
    CHECK(kind(isgraph));
    CHECK(kind(iscntrl));
    CHECK(kind(ispunct));
    CHECK(kind(isxdigit));
    CHECK((isascii)('a') != 0);
    CHECK((isascii)(127) != 0);
    CHECK((isascii)(128) != 0);
    CHECK((isascii)(-1) != 0);
    CHECK((toascii)('a'));
    CHECK((toascii)(0x1e4));
    CHECK((toascii)(-1));
    CHECK((tolower)('Q') + 1000 * (tolower)('5'));
    CHECK((toupper)('q') + 1000 * (toupper)(-1));
    CHECK(by_table('a') + by_table(' '));
    CHECK(by_table('0') - by_table(-1));
    CHECK((*__ctype_tolower_loc())['Q']);
    CHECK((*__ctype_toupper_loc())['q']);
    UNDEFINED((isalpha)(-2));
    UNDEFINED((isdigit)(256));
    UNDEFINED((tolower)(-7));
    UNDEFINED(by_table(300));
    END;
}
