package lvms.operator.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.imageio.ImageIO;

/**
 * Chromium shows the page of a large cluster: light, dark, and on a phone without scrolling it
 * sideways. The page and its pictures stay in {@code out/report} for people to look at.
 */
@Timeout(300)
@FullOnly("starts Chromium; what the page says is in the unit tests of the page")
class BrowserTests {
    private static final Path FOLDER = Path.of("out/report").toAbsolutePath();
    private static final Path PAGE = FOLDER.resolve("page.html");
    private static final int PHONE = 390;

    /** A frame as wide as a phone, since a window has a least width; it says what is in it. */
    private static final String FRAME =
            """
            <!DOCTYPE html>
            <body style="margin:0"><iframe src="page.html" style="width:%dpx;height:%dpx;border:0">
            </iframe>
            <script>
            document.querySelector("iframe").onload = event => {
              const inner = event.target.contentDocument;
              inner.querySelectorAll("details").forEach(list => { list.open = %s; });
              document.body.append("width=" + inner.documentElement.scrollWidth + ";");
            };
            </script>
            """;

    @TempDir private Path profile;
    private String chromium;

    @BeforeEach
    void writePage() throws IOException {
        var found =
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> Path.of(folder, "chromium"))
                        .filter(Files::isExecutable)
                        .findFirst()
                        .map(Path::toString);
        assumeTrue(found.isPresent(), "no chromium on the PATH: apt-get install chromium");
        chromium = found.get();
        Files.createDirectories(FOLDER);
        Files.writeString(PAGE, LargeScene.make().page());
    }

    private String run(String... options) throws Exception {
        var words = new ArrayList<>(List.of(chromium, "--headless", "--no-sandbox"));
        words.addAll(List.of("--disable-gpu", "--hide-scrollbars", "--no-first-run"));
        words.addAll(List.of("--allow-file-access-from-files", "--user-data-dir=" + profile));
        words.addAll(List.of(options));
        var out = profile.resolve("out").toFile();
        var browser = new ProcessBuilder(words).redirectOutput(out);
        int code = browser.redirectError(profile.resolve("err").toFile()).start().waitFor();
        assertEquals(0, code, () -> text(profile.resolve("err")));
        return text(out.toPath());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Blink's numbers of colour schemes. */
    private static String scheme(boolean dark) {
        return "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1);
    }

    private int background(String name, boolean dark, int width, int height, Path page)
            throws Exception {
        var picture = FOLDER.resolve(name + ".png");
        Files.deleteIfExists(picture);
        run(
                scheme(dark),
                "--screenshot=" + picture,
                "--window-size=" + width + "," + height,
                page.toUri().toString());
        var image = ImageIO.read(picture.toFile());
        assertNotNull(image, () -> picture + " is no picture");
        return image.getRGB(2, 2) & 0xFFFFFF;
    }

    @Test
    void itIsLightOrDarkAsTheReadersSystemIs() throws Exception {
        assertEquals(0xFFFFFF, background("light", false, 1280, 9000, PAGE));
        assertEquals(0x14161A, background("dark", true, 1280, 9000, PAGE));
    }

    @Test
    void nothingIsWiderThanAPhone() throws Exception {
        for (var lists : List.of("false", "true")) {
            var frame = FOLDER.resolve("phone.html");
            Files.writeString(frame, FRAME.formatted(PHONE, 5000, lists));
            var seen = run("--virtual-time-budget=10000", "--dump-dom", frame.toUri().toString());
            assertTrue(seen.contains("width=" + PHONE + ";"), seen);
        }
        var frame = FOLDER.resolve("phone.html");
        assertEquals(0xFFFFFF, background("phone", false, 500, 5000, frame));
        assertEquals(0x14161A, background("phone-dark", true, 500, 5000, frame));
    }
}
