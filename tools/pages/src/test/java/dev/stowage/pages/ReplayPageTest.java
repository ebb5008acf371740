package dev.stowage.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.browser.PageContent;
import java.io.IOException;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

final class ReplayPageTest {

  @TempDir private Path folder;

  private static String page(ReplayMap picture) throws IOException {
    return PageBrowser.text(picture);
  }

  @Test
  void write_hostileIdsAndFrames_leavesTheScriptsWhole() throws IOException {
    String page = page(ReplaySamples.oneRegion(folder));

    assertThat(Pattern.compile("</script").matcher(page).results().count()).isEqualTo(2);
    assertThat(PageContent.of(page).get("frames").get(2).asString())
        .isEqualTo(ReplaySamples.FRAMES.get(2));
    assertThat(UTF_8.newEncoder().encode(CharBuffer.wrap(page)).hasRemaining()).isTrue();
  }

  @Test
  void write_oneRegion_hasAColumnAnArrayAndEachStackOnce() throws IOException {
    JsonNode data = PageContent.of(page(ReplaySamples.oneRegion(folder)));

    assertThat(data.get("requested")).hasToString("[1048576,2621440,1048576]");
    assertThat(data.get("bytes")).hasToString("[1048576,3145728,1048576]");
    assertThat(data.get("offset")).hasToString("[0,1048576,0]");
    assertThat(data.get("first")).hasToString("[1,2,5]");
    assertThat(data.get("end")).hasToString("[3,7,6]");
    assertThat(data.get("stack")).hasToString("[-1,0,-1]");
    assertThat(data.at("/failures/requested")).hasToString("[2097152]");
    assertThat(data.at("/failures/event")).hasToString("[4]");
    assertThat(data.at("/failures/stack")).hasToString("[0]");
    assertThat(data.at("/regions/0/max")).hasToString("[4194304]");
    assertThat(data.at("/curves/reserved/max")).hasToString("[4194304]");
    assertThat(data.at("/curves/inUse/event")).hasToString("[1,2,3,5,6]");
    assertThat(data.at("/frames/0").asString()).isEqualTo("at::_ops::mul_Tensor");
    assertThat(data.get("stacks")).hasToString("[[0,1,2]]");
    assertThat(data.at("/lines/0").asString()).startsWith("forward at ");
  }

  @Test
  void write_longTrace_statesTheParts() throws IOException {
    assertThat(page(ReplaySamples.random(folder, 300_000)))
        .contains(
            "<p id=\"notes\">The parts of the"
                + " reserved memory are those of the event with the most reserved bytes of each 64"
                + " events.</p>");
    assertThat(page(ReplaySamples.skipping(ReplaySamples.oneRegion(folder), 1412)))
        .contains(
            "<p id=\"notes\">The map shows 3 chunks: all that are live at the peak, and those with the"
                + " largest areas (bytes × events). It leaves out 1,412 smaller ones.</p>");
  }

  @Test
  void write_inEgypt_hasTheSameDigits() throws IOException {
    ReplayMap picture = ReplaySamples.oneRegion(folder);
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
