/**
 * What a process tells of itself to those who look for a slow or stuck part: threads, and a
 * recording of the JDK Flight Recorder. Nothing of this is loaded until somebody asks for it.
 */
package lvms.profiling;
