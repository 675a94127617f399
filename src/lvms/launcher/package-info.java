/**
 * The command line: picks a subcommand by the first word or by the name under which the program was
 * called, reads its flags, and builds and starts the objects of that process. Nothing else in the
 * product reads flags or environment variables.
 */
package lvms.launcher;
