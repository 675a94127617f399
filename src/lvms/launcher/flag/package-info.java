/** What a process is told: its flags, and the variables of its environment. */
package lvms.launcher.flag;
