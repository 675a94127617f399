/** What a subcommand is: its name, flags, environment and exit codes. */
package lvms.launcher.command;
