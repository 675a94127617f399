package lvms.lvm2;

/** How a RAID volume is laid out on physical volumes; lvmraid(7). */
public sealed interface RaidLayout {
    /**
     * Copies of everything.
     *
     * @param copies number of copies, 2 to 10
     */
    record Raid1(int copies) implements RaidLayout {
        /** Checks the number. */
        public Raid1 {
            require("copies", copies, 2, 10);
        }

        @Override
        public int devices() {
            return copies;
        }
    }

    /**
     * Stripes and one device of parity.
     *
     * @param stripes number of devices with data, at least 2
     */
    record Raid4(int stripes) implements RaidLayout {
        /** Checks the number. */
        public Raid4 {
            require("stripes", stripes, 2, 63);
        }

        @Override
        public int devices() {
            return stripes + 1;
        }
    }

    /**
     * Stripes and rotating parity of one device.
     *
     * @param stripes data stripes, at least 2
     */
    record Raid5(int stripes) implements RaidLayout {
        /** Checks the number. */
        public Raid5 {
            require("stripes", stripes, 2, 63);
        }

        @Override
        public int devices() {
            return stripes + 1;
        }
    }

    /**
     * Stripes and rotating parity of two devices.
     *
     * @param stripes data stripes, at least 3
     */
    record Raid6(int stripes) implements RaidLayout {
        /** Checks the number. */
        public Raid6 {
            require("stripes", stripes, 3, 62);
        }

        @Override
        public int devices() {
            return stripes + 2;
        }
    }

    /**
     * Stripes of copies.
     *
     * @param copies number of copies, at least 2
     * @param stripes number of stripes, at least 2
     */
    record Raid10(int copies, int stripes) implements RaidLayout {
        /** Checks the numbers. */
        public Raid10 {
            require("copies", copies, 2, 10);
            require("stripes", stripes, 2, 64 / copies);
        }

        @Override
        public int devices() {
            return copies * stripes;
        }
    }

    /** Returns how many physical volumes it needs, each with a share of the data. */
    int devices();

    private static void require(String what, int number, int least, int most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    what + " are not within " + least + " to " + most + ": " + number);
        }
    }
}
