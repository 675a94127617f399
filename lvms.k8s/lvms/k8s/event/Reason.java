package lvms.k8s.event;

/**
 * Why an Event is written. A program keeps its reasons in an enum that implements this, so that
 * they are in one place and a reference for users can list them all.
 */
public interface Reason {
    /** Returns the reason in the Event, one CamelCase word that people and alerts look for. */
    String text();

    /** Returns whether a person should look at it. */
    EventRecorder.Type type();

    /** Returns what the program was doing, one CamelCase word. */
    String action();

    /** Returns the name that the program's recorder was opened with. */
    String reporter();

    /** Returns the kinds of object that the Event may be about, joined by commas. */
    String regarding();

    /** Returns, in a sentence for the reference, when it is written and what to do. */
    String meaning();
}
