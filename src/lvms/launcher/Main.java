package lvms.launcher;

/** The entry point. */
public final class Main {
    private Main() {}

    /** Prints the version. */
    public static void main(String[] args) {
        System.out.println("lvms " + Main.class.getModule().getDescriptor().rawVersion().orElse("development"));
    }
}
