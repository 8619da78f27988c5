/* The one function of bcryptprimitives.dll that Rust's standard library asks for, which wine 8 does not have. It is laid beside
   the program under test only: Windows has its own. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return SystemFunction036(data, (ULONG)length);
}
