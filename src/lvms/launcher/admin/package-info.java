/** The subcommands that people run: they show or change a machine or a cluster, and end. */
package lvms.launcher.admin;
