/**
 * What the other packages say about the machine: programs, the numbers of devices, and the errors
 * of system calls.
 *
 * <p>Begin with {@link lvms.lvm2.system.Program}: one program, words instead of a shell, a deadline
 * and bounded output.
 *
 * {@snippet :
 * var result = Program.of(Duration.ofSeconds(30), "blkid", "-p", "/dev/sdb").run();
 * System.out.println(result.succeeded() ? result.stdout() : result.stderr());
 * try {
 *     System.out.println(FilesystemUsage.of(Path.of("/mnt/data")));
 * } catch (ErrnoException e) {
 *     System.out.println(e.errno() == ErrnoException.ENOENT ? "no such folder" : e.getMessage());
 * }
 * }
 *
 * <p>The system calls themselves are in {@code lvms.lvm2.ffi}, which is not exported; {@link
 * lvms.lvm2.device} and {@link lvms.lvm2.filesystem} offer what can be done with them.
 */
package lvms.lvm2.system;
