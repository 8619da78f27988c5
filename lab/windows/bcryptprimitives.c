/* Rust's standard library takes its random numbers from bcryptprimitives.dll, which Wine 8 does not have. What Wine has is
 * the older call, which Windows itself now answers in the same way. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length)
{
    return SystemFunction036(bytes, (ULONG)length);
}
