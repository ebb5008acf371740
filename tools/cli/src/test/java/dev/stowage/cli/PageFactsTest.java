package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The facts of a run and the lines of pages, without scripts, and in JSON and tables. */
class PageFactsTest {

  private static final Pattern FACT =
      Pattern.compile("<div><dt>([^<]*)</dt><dd>([^<]*)</dd></div>\n");

  private static final Pattern PARAGRAPH = Pattern.compile("<p>([^<]*)</p>");

  private static final String FAILING =
      """
      op,id,bytes,stream,t
      a,a,512,0,
      a,b,256,0,
      a,c,256,0,
      f,b,,0,
      a,d,512,0,
      """;

  @TempDir private Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private static Map<String, String> facts(Path page) throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    Matcher fact = FACT.matcher(Files.readString(page));
    while (fact.find()) {
      facts.merge(fact.group(1), text(fact.group(2)), (a, b) -> a + "\n" + b);
    }
    return facts;
  }

  /** {@return the paragraphs of a page} */
  private static List<String> paragraphs(Path page) throws IOException {
    return PARAGRAPH
        .matcher(Files.readString(page))
        .results()
        .map(paragraph -> text(paragraph.group(1)))
        .toList();
  }

  private static String text(String markup) {
    return markup
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }

  private static JsonNode json(CommandRun run) {
    return new JsonMapper().readTree(run.out());
  }

  @Test
  void plan_options_areOnThePageAndInJson() throws IOException {
    Path page = folder.resolve("p.html");
    String model = "examples/mobilenet_v1.tflite";

    CommandRun run =
        CommandRun.of(
            "plan",
            model,
            "--alignment",
            "64",
            "--io",
            "--capacity",
            "2MiB",
            "--strategy",
            "naive",
            "--strategy",
            "greedy_by_size",
            "--explain",
            "--time-limit",
            "1",
            "--strategy",
            "optimal",
            "--format",
            "json",
            "--output",
            page);

    JsonNode json = json(run);
    JsonNode explanation = json.get("explanation");
    Map<String, String> facts = facts(page);
    assertThat(facts)
        .containsEntry("input", json.get("input").stringValue())
        .containsEntry("format", json.get("format").stringValue())
        .doesNotContainKey("--alignment");
    assertThat(facts.get("command"))
        .isEqualTo(
            "stowage plan "
                + model
                + " --alignment 64 --io --capacity 2MiB --strategy naive --strategy greedy_by_size"
                + " --explain --time-limit 1 --strategy optimal --format json --output "
                + page);
    assertThat(String.join("\n", paragraphs(page)))
        .contains("Why not 2,097,152 bytes: ")
        .contains("Peak: " + ByteUnit.exact(explanation.get("peak").get("bytes").longValue()));
  }

  @Test
  void plan_explanation_isThatOfTheTable() throws IOException {
    Path page = folder.resolve("p.html");

    CommandRun run =
        CommandRun.of(
            "plan", "examples/puzzle.csv", "--kind", "offsets", "--explain", "--output", page);

    assertThat(run.out().lines().map(String::strip)).containsAll(paragraphs(page));
  }

  @Test
  void plan_notes_areOnThePage() throws IOException {
    Path problem =
        file("p.csv", "id,lower,upper,size,offset\na,0,2,16,0\nb,0,2,16,\n".replace("\n", "\r\n"));
    Path page = folder.resolve("p.html");

    CommandRun run = CommandRun.of("plan", problem, "--output", page);

    String note = facts(page).get("note");
    assertThat(note).startsWith("some records are pinned");
    assertThat(run.err()).contains("note: " + problem + ": " + note);
  }

  /** A name that a shell, a browser and a terminal would each misread. */
  @Test
  void plan_hostileFileName_isQuotedForAShell() throws IOException {
    Path problem = file("a '$(x)\" <script>\u202E&\n.csv", "id,lower,upper,size\na,0,2,16\n");
    Path page = folder.resolve("p.html");

    CommandRun.of("plan", problem, "--output", page);

    assertThat(Files.readString(page)).doesNotContain("<script>\u202E").doesNotContain("\u202E");
    assertThat(facts(page).get("command"))
        .isEqualTo("stowage plan '" + folder + "/a '\\''$(x)\" <script>?&?.csv' --output " + page);
  }

  @ParameterizedTest
  @CsvSource({
    "x y, 'x y'",
    "it's, it'\\''s",
    "'', ''",
  })
  void of_aWord_isQuotedIfNeeded(String word, String quoted) {
    assertThat(ShellLine.word(word)).isEqualTo("'" + quoted + "'");
  }

  @Test
  void replay_failures_areAsOnTheTerminal() throws IOException {
    Path trace = file("t.csv", FAILING);
    Path page = folder.resolve("p.html");

    CommandRun run =
        CommandRun.of(
            "replay", trace, "--no-growth", "--limit", "1KiB", "--explain", "--output", page);

    assertThat(paragraphs(page))
        .anyMatch(text -> text.startsWith("First failure, event 5, 'd': "))
        .contains("Replayed with a BFC allocator with --no-growth --limit 1KiB.");
    assertThat(run.out().lines().map(String::strip)).containsAll(paragraphs(page));
    assertThat(facts(page)).containsEntry("format", "csv");
  }

  /** Blocks that are older than the recording are no recorded allocations. */
  @Test
  void replay_olderBlocks_areNotCounted() throws IOException {
    Path trace =
        new SnapshotPickle()
            .older(3072)
            .alloc(512, 4096, 0, "forward at model.py:12")
            .alloc(8192, 1024, 7, "loss at train.py:9")
            .free(8192, 1024)
            .write(folder.resolve("s.pickle"));
    Path page = folder.resolve("p.html");

    JsonNode json =
        json(
            CommandRun.of(
                "replay", trace, "--allocator", "pytorch", "--format", "json", "--output", page));

    String allocations = Numbers.count(json.get("allocations").longValue(), "allocation");
    assertThat(paragraphs(page))
        .contains(
            allocations + " and 1 free, 0 failed.",
            "In use before the recording: "
                + Numbers.count(json.get("older_blocks").longValue(), "block")
                + " with "
                + ByteUnit.exact(json.get("older_bytes").longValue())
                + ".",
            "Reserved by PyTorch at the end of the recording: "
                + ByteUnit.exact(json.get("recorded_reserved_bytes").longValue())
                + ".");
    assertThat(facts(page))
        .containsEntry("format", "pytorch")
        .containsEntry("version", "Stowage " + json.get("version").stringValue());
  }

  @Test
  void page_writtenTwice_isTheSame() throws IOException {
    Path trace = file("t.csv", FAILING);
    Path page = folder.resolve("p.html");
    CommandRun.of("replay", trace, "--limit", "1KiB", "--explain", "--output", page);
    String first = Files.readString(page);
    CommandRun.of("replay", trace, "--limit", "1KiB", "--explain", "--output", page);
    assertThat(Files.readString(page)).isEqualTo(first);
  }
}
