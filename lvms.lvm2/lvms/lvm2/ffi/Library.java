package lvms.lvm2.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;

/** A shared library, loaded only to see whether it can be. Source: dlopen(3), dlclose(3). */
public final class Library {
    private Library() {}

    /** Returns whether the loader finds the library with this name, and all that it needs. */
    @SuppressWarnings("restricted")
    public static boolean loads(String name) {
        try (var arena = Arena.ofConfined()) {
            return SymbolLookup.libraryLookup(name, arena) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
