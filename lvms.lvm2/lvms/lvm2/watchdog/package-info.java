/**
 * A process that outlives ours: where a change suspends devices and our process is killed, it lets
 * their I/O go on.
 *
 * <p>{@link lvms.lvm2.watchdog.WatchdogProcess} starts it and tells it through a pipe which changes
 * run; {@link lvms.lvm2.watchdog.WatchdogLoop} is what the process does. A container's end kills
 * all processes in its cgroup, so {@link lvms.lvm2.watchdog.HostCgroups} moves it to those of
 * process 1 before the first change is told.
 *
 * <p>It knows changes by the files that note them; what becomes of a change that was cut is up to
 * {@code lvms.lvm2.command.Resumption}.
 */
package lvms.lvm2.watchdog;
