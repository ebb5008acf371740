package dev.stowage.cli.picture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.bfc.BfcOptions;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplayPageTest {

  @TempDir private Path folder;

  private static String page(ReplayPicture picture) throws IOException {
    StringWriter out = new StringWriter();
    ReplayPage.write(picture, out);
    return out.toString();
  }

  private static String dataOf(String page) {
    String start = "<script type=\"application/json\" id=\"data\">";
    int from = page.indexOf(start) + start.length();
    return page.substring(from, page.indexOf("</script>", from));
  }

  @Test
  void write_hostileIdsAndFrames_leavesTheScriptsWhole() throws IOException {
    String page = page(ReplaySamples.oneRegion(folder));

    assertThat(Pattern.compile("</script").matcher(page).results().count()).isEqualTo(3);
    assertThat(dataOf(page)).doesNotContain("<").contains("\\u202E\\u0007\\n at /x/y/");
    assertThat(page).contains("<h1>trace &amp; &lt;b&gt;co&lt;/b&gt;</h1>");
    assertThat(UTF_8.newEncoder().encode(CharBuffer.wrap(page)).hasRemaining()).isTrue();
  }

  @Test
  void write_oneRegion_hasAColumnAnArrayAndEachStackOnce() throws IOException {
    assertThat(dataOf(page(ReplaySamples.oneRegion(folder))))
        .startsWith("{\"events\":6,\"peakEvent\":2,\"ids\":[\"a\",")
        .contains(
            "\"requested\":[1048576,2621440,1048576],\"bytes\":[1048576,3145728,1048576],"
                + "\"region\":[0,0,0],\"offset\":[0,1048576,0],\"first\":[1,2,5],\"end\":[3,7,6],"
                + "\"stream\":[3,3,3],\"stack\":[-1,0,-1],\"failures\":{\"ids\":[")
        .contains(
            "\"requested\":[2097152],\"event\":[4],\"stream\":[4],\"stack\":[0]},"
                + "\"regions\":[{\"index\":0,\"event\":[1],\"value\":[4194304]}],"
                + "\"curves\":{\"reserved\":{\"event\":[1],\"value\":[4194304]},"
                + "\"inUse\":{\"event\":[1,2,3,5,6],\"value\":[1048576,4194304,3145728,4194304,")
        .contains("\"stacks\":[[0,1,2]],\"frames\":[\"at::_ops::mul_Tensor\",");
  }

  @Test
  void write_withoutScripts_hasTheNumbers() throws IOException {
    assertThat(page(ReplaySamples.oneRegion(folder)))
        .contains("<noscript>")
        .contains(
            "<p id=\"summary\">4 allocations and 2 frees, replayed with a BFC allocator with"
                + " --no-growth --limit 4MiB</p>")
        .contains("<dd id=\"requested\">3.500 MiB</dd><dd>3,670,016 bytes</dd>")
        .contains(
            "<dd id=\"inuse\">4.000 MiB</dd><dd>4,194,304 bytes</dd><dd>14.3 % over requested</dd>")
        .contains("<dd id=\"held\">4.000 MiB</dd><dd>in 1 region</dd>")
        .contains("<dd id=\"external\">external 0.0 %</dd><dd id=\"internal\">internal 12.5 %</dd>")
        .contains("<dd id=\"failures\">1 request</dd><dd>of 4</dd>")
        .contains("<p id=\"notes\"></p>");
  }

  @Test
  void write_noEvents_hasNoShares() throws IOException {
    assertThat(page(ReplaySamples.of(folder, BfcOptions.growing(), "")))
        .contains("replayed with a BFC allocator with its defaults</p>")
        .contains("<dd id=\"inuse\">0 B</dd><dd>0 bytes</dd><dd></dd>");
  }

  @Test
  void write_longTrace_statesTheSkippedChunks() throws IOException {
    assertThat(page(ReplaySamples.random(folder, 20_000)))
        .containsPattern("<p id=\"notes\">Curves show the largest value of each \\d+ events.</p>");
    StringBuilder failing = new StringBuilder();
    for (int i = 0; i < 10_001; i++) {
      failing.append("a,").append(i).append(",2048,,\n");
    }
    assertThat(page(ReplaySamples.of(folder, BfcOptions.oneRegion(1024), failing.toString())))
        .contains("<p id=\"notes\">The map marks the first 10,000 failed requests.</p>");
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 100_001; i++) {
      many.append("a,").append(i).append(",256,,\nf,").append(i).append(",,,\n");
    }
    assertThat(page(ReplaySamples.of(folder, BfcOptions.growing(), many.toString())))
        .contains(
            "<p id=\"notes\">The map shows the 100,000 chunks with the largest areas (bytes × events); the other 1"
                + " have 0.0 % of the area. ");
  }

  @Test
  void write_inEgypt_hasTheSameDigits() throws IOException {
    ReplayPicture picture = ReplaySamples.oneRegion(folder);
    String here = page(picture);
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      assertThat(page(picture)).isEqualTo(here);
    } finally {
      Locale.setDefault(before);
    }
  }
}
