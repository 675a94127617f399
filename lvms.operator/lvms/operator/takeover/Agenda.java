package lvms.operator.takeover;

import java.util.List;

/** What would be done. Nothing is changed before it is run. */
public final class Agenda {
    private final List<String> obstacles;
    private final List<String> objects;
    private final List<String> notes;
    private final List<Step> steps;

    Agenda(List<String> obstacles, List<String> objects, List<String> notes, List<Step> steps) {
        this.obstacles = List.copyOf(obstacles);
        this.objects = List.copyOf(objects);
        this.notes = List.copyOf(notes);
        this.steps = List.copyOf(steps);
    }

    /** Nothing but obstacles. */
    static Agenda blocked(List<String> obstacles) {
        return new Agenda(obstacles, List.of(), List.of(), List.of());
    }

    /** Returns what a person has to do first; nothing is done while there is anything. */
    public List<String> obstacles() {
        return obstacles;
    }

    /** Returns every object that was found with what becomes of it, one line each. */
    public List<String> objects() {
        return objects;
    }

    /** Returns what a person should know, one line each. */
    public List<String> notes() {
        return notes;
    }

    /** Returns what is done, in order, one line each. */
    public List<String> lines() {
        return steps.stream().map(Step::text).toList();
    }

    List<Step> steps() {
        return steps;
    }
}
