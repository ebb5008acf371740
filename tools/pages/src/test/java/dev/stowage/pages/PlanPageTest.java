package dev.stowage.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.testing.browser.PageContent;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.CharBuffer;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class PlanPageTest {

  @Test
  void write_hostileNames_leavesTheScriptsWhole() throws IOException {
    String page = page(Samples.chain());
    assertThat(Pattern.compile("</script").matcher(page).results().count()).isEqualTo(2);
    assertThat(PageContent.of(page).get("names").get(2).asString()).isEqualTo(Samples.HOSTILE);
  }

  @Test
  void write_aHostileTitle_isText() throws IOException {
    String longName = "x".repeat(10_000);
    StringWriter page = new StringWriter();
    new Page("</title><script>\"'\u0001${content}" + longName).write(page);
    String escaped = "&lt;/title&gt;&lt;script&gt;&quot;&#39;\ufffd${content}" + longName;
    assertThat(page.toString())
        .contains("<title>" + escaped + "</title>")
        .contains("<h1>" + escaped + "</h1>");
  }

  @Test
  void write_aChain_hasAColumnAnArray() throws IOException {
    JsonNode data = PageContent.of(page(Samples.chain()));

    assertThat(data.get("ids")).hasToString("[\"10\",\"11\",\"12\"]");
    assertThat(data.at("/names/1").asString()).isEqualTo("add");
    assertThat(data.get("bytes")).hasToString("[1048576,3145728,1048577]");
    assertThat(data.get("first")).hasToString("[0,3,7]");
    assertThat(data.get("last")).hasToString("[3,6,9]");
    assertThat(data.get("load"))
        .hasToString("{\"event\":[0,3,4,7,10]," + "\"max\":[1048576,4194304,3145728,1048577,0]}");
    assertThat(data.get("naive").asLong()).isEqualTo(5_242_881);
    assertThat(data.get("best").asInt()).isEqualTo(1);
    assertThat(data.at("/plans/1"))
        .hasToString(
            "{\"strategy\":\"GREEDY_BY_SIZE\",\"total\":4194304,\"bound\":4194304,\"optimal\":true,"
                + "\"offsets\":[3145728,0,0]}");
  }

  @Test
  void write_objects_areAColumnOfIdsAndTheirBytes() throws IOException {
    String page = page(Samples.withObjects());
    assertThat(content(page))
        .contains(
            "{\"strategy\":\"NAIVE\",\"total\":5242881,\"bound\":4194304,\"optimal\":false,"
                + "\"objects\":{\"ids\":[0,1,2],\"bytes\":[1048576,3145728,1048577]}}");
    assertThat(page).contains("<option value=\"2\">NAIVE, objects: 5.000 MiB</option>");
  }

  @Test
  void write_aModel_hasItsShapesAndOperators() throws IOException {
    JsonNode data = PageContent.of(page(Samples.model()));
    assertThat(data.get("shapes")).hasToString("[\"1x1024x1024 INT8\",\"\"]");
    assertThat(data.at("/tasks/0").asString()).isEqualTo("CONV_2D 0");
    assertThat(data.get("taskNames")).hasToString("[\"first\",\"\",\"\"]");
  }

  @Test
  void write_everything_canBeEncoded() throws IOException {
    var encoder = UTF_8.newEncoder();
    assertThat(encoder.encode(CharBuffer.wrap(page(Samples.chain()))).hasRemaining()).isTrue();
  }

  @Test
  void write_withoutScripts_hasTheTotals() throws IOException {
    assertThat(page(Samples.chain()))
        .contains("<noscript>")
        .contains("<html lang=\"en\">")
        .contains("<option value=\"1\" selected>GREEDY_BY_SIZE: 4.000 MiB</option>");
  }

  @Test
  void write_inEgypt_hasTheSameDigits() throws IOException {
    String here = page(Samples.chain());
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      assertThat(page(Samples.chain())).isEqualTo(here);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void write_toAFullDisk_throwsTheExceptionOfTheWriter() {
    IOException full = new IOException("no space left");
    assertThatThrownBy(
            () -> PageBrowser.write(new PlanMap(Samples.random(5_000)), new FullAfter(1_000, full)))
        .isSameAs(full);
  }

  private static String page(PlanPicture picture) throws IOException {
    return PageBrowser.text(new PlanMap(picture));
  }

  /** A writer that fails after a number of characters. */
  private static final class FullAfter extends Writer {

    private int room;
    private final IOException full;

    FullAfter(int room, IOException full) {
      this.room = room;
      this.full = full;
    }

    @Override
    public void write(char[] buffer, int offset, int length) throws IOException {
      room -= length;
      if (room < 0) {
        throw full;
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** {@return the data as text, with arrays for columns} */
  private static String content(String page) {
    return PageContent.of(page).toString();
  }
}
