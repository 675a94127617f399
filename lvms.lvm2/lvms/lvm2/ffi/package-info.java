/**
 * Every call into C, one type per function or struct. No memory segment leaves this package.
 * Layouts are those of LP64 Linux with glibc, the same on x86-64 and aarch64 unless a type says so.
 */
package lvms.lvm2.ffi;
