/**
 * LVM by its own commands. {@link lvms.lvm2.command.LvmCommands} is the way in and the only public
 * type; the rest says how each operation becomes a command, and what happens when one dies.
 */
package lvms.lvm2.command;
