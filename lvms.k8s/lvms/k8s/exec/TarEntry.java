package lvms.k8s.exec;

/**
 * One thing in a tar archive.
 *
 * @param name relative to the folder, with slashes
 * @param target of a link
 * @param mode the permission bits
 * @param sizeBytes of a file; 0 for anything else
 */
record TarEntry(Kind kind, String name, String target, int mode, long sizeBytes) {
    static final int PERMISSIONS = 0777;

    enum Kind {
        FILE('0'),
        HARD_LINK('1'),
        LINK('2'),
        FOLDER('5');

        private final char flag;

        Kind(char flag) {
            this.flag = flag;
        }

        char flag() {
            return flag;
        }
    }

    static TarEntry file(String name, int mode, long sizeBytes) {
        return new TarEntry(Kind.FILE, name, "", mode, sizeBytes);
    }

    static TarEntry folder(String name, int mode) {
        return new TarEntry(Kind.FOLDER, name, "", mode, 0);
    }

    static TarEntry link(String name, String target) {
        return new TarEntry(Kind.LINK, name, target, PERMISSIONS, 0);
    }
}
