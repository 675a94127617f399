/**
 * LVM through its own commands: how each operation becomes command lines, and what happens when a
 * command dies.
 *
 * <p>{@link lvms.lvm2.command.LvmCommands} is the way in; besides it only the main class of the
 * watchdog is public.
 *
 * {@snippet :
 * try (var lvm = LvmCommands.open(LvmOptions.defaults())) {
 *     System.out.println(lvm.engine().kind() + ": " + lvm.engine().reason());
 *     for (var report : lvm.groups().reports()) {
 *         System.out.println(report.group().name() + " " + report.group().freeBytes());
 *     }
 * }
 * }
 *
 * <p>Inside, from the bottom up:
 *
 * <ul>
 *   <li>{@code CommandRunner} runs one command, with its devices, settings and deadline, and asks
 *       again while somebody else holds LVM's lock. {@code Reads} turns reports into records.
 *   <li>{@code Mending} resumes, finishes or removes what a killed change left behind. {@code
 *       Recovery}, {@code Leftovers} and {@code StuckPools} handle its three kinds.
 *   <li>{@code SuspendedDevices} lets I/O go on without LVM, and {@code Resumption} says where a
 *       dead change left it waiting: at a start, and in {@code WatchdogMain}.
 *   <li>{@code MendingRunner} is a {@code CommandRunner} with mending around it. All changes go
 *       through it. {@code GroupLocks} gives each of them its turn.
 *   <li>{@code GroupChanges}, {@code PoolChanges}, {@code VolumeChanges} and the others are the
 *       operations, one class for each view of {@code Lvm}.
 * </ul>
 *
 * <p>{@code lvms.lvm2.engine} handles processes and the library, and {@code lvms.lvm2.report}
 * handles what LVM prints; neither is exported.
 */
package lvms.lvm2.command;
