package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.testing.Seeds;
import dev.stowage.testing.browser.PageContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Page, picture, table and JSON of a plan have the same totals, bounds and proofs. */
final class PictureFiguresTest {

  private static final Pattern TABLE_ROW =
      Pattern.compile("  ([A-Z_]+) +([0-9,]+) .*?(optimal|(?:\\+|<)[0-9,.]+ %).*");

  private static final Pattern TABLE_BOUND = Pattern.compile("  lower bound +([0-9,]+) .*");

  @TempDir private Path folder;

  /** The figures of a plan, as each of the outputs has them. */
  private record Figures(
      String strategy, String kind, long bytes, long boundBytes, boolean isOptimal) {}

  /** Both bounds are above those of the live bytes: 4,530,240 and 6.105 MiB. */
  @Test
  void plan_boundsProvedBySearches_areOnThePage() throws IOException {
    List<Figures> figures = assertSameFigures("examples/deeplab_v3.tflite", "--alignment", "65536");

    assertThat(figures)
        .contains(new Figures("OPTIMAL", "offsets", 4_588_544, 4_588_544, true))
        .anyMatch(plan -> plan.strategy().equals("GREEDY_BY_SIZE") && plan.kind().equals("objects"))
        .anyMatch(plan ->
            plan.kind().equals("objects") && ByteUnit.human(plan.boundBytes()).equals("6.437 MiB"));
  }

  @Test
  void plan_offsetsAlone_haveTheSameFigures() throws IOException {
    List<Figures> figures = assertSameFigures("examples/mobilenet_v1.tflite", "--kind", "offsets");

    assertThat(figures).extracting(Figures::strategy).contains("NAIVE", "EQUALITY", "OPTIMAL");
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_randomProblems_haveTheSameFigures(long seed) throws IOException {
    Random random = new Random(seed);
    int tasks = 2 + random.nextInt(8);
    StringBuilder csv = new StringBuilder("id,lower,upper,size\n");
    for (int i = random.nextInt(10); i >= 0; i--) {
      int first = random.nextInt(tasks);
      int end = first + 1 + random.nextInt(tasks - first);
      csv.append(
          String.format(Locale.ROOT, "t%d,%d,%d,%d\n", i, first, end, random.nextInt(5_000)));
    }
    Path problem = Files.writeString(folder.resolve("p.csv"), csv);

    assertSameFigures(problem.toString(), "--alignment", 1 << random.nextInt(11));
  }

  static LongStream seeds() {
    return Seeds.of(25);
  }

  private List<Figures> assertSameFigures(String file, String option, Object value)
      throws IOException {
    Path html = folder.resolve("plan.html");
    Path svg = folder.resolve("plan.svg");
    CommandRun json =
        CommandRun.of(
            "plan", file, option, value, "--format", "json", "--output", html, "--output", svg);
    CommandRun table = CommandRun.of("plan", file, option, value);

    JsonNode plans = JsonMapper.shared().readTree(json.out());
    JsonNode data = PageContent.of(Files.readString(html));
    List<Figures> shown = ofTable(table.out());
    assertThat(shown).isNotEmpty();
    assertThat(ofData(data)).containsExactlyInAnyOrderElementsOf(shown);
    assertThat(ofJson(plans)).containsAll(shown);
    assertSamePlaces(plans, data);
    assertSvgShows(Files.readString(svg), ofData(data).get(data.get("best").asInt()));
    return shown;
  }

  private static List<Figures> ofJson(JsonNode json) {
    List<Figures> figures = new ArrayList<>();
    for (JsonNode plan : json.get("plans")) {
      String kind = plan.get("kind").asString();
      long boundBytes = json.get("lower_bounds").get(kind).asLong();
      for (JsonNode other : json.get("plans")) {
        if (other.get("kind").asString().equals(kind) && other.has("lower_bound")) {
          boundBytes = Math.max(boundBytes, other.get("lower_bound").asLong());
        }
      }
      figures.add(
          new Figures(
              plan.get("strategy").asString(),
              kind,
              plan.get("total_bytes").asLong(),
              boundBytes,
              plan.get("optimal").asBoolean()));
    }
    return figures;
  }

  private static List<Figures> ofTable(String table) {
    List<Figures> figures = new ArrayList<>();
    List<Matcher> rows = new ArrayList<>();
    String kind = "";
    for (String line : table.lines().toList()) {
      Matcher row = TABLE_ROW.matcher(line);
      Matcher bound = TABLE_BOUND.matcher(line);
      if (line.startsWith("OFFSETS in one arena")) {
        kind = "offsets";
      } else if (line.startsWith("SHARED OBJECTS")) {
        kind = "objects";
      } else if (row.matches()) {
        rows.add(row);
      } else if (bound.matches()) {
        for (Matcher plan : rows) {
          figures.add(
              new Figures(
                  plan.group(1),
                  kind,
                  number(plan.group(2)),
                  number(bound.group(1)),
                  plan.group(3).equals("optimal")));
        }
        rows.clear();
      }
    }
    return figures;
  }

  private static List<Figures> ofData(JsonNode data) {
    List<Figures> figures = new ArrayList<>();
    for (JsonNode plan : data.get("plans")) {
      figures.add(
          new Figures(
              plan.get("strategy").asString(),
              plan.has("objects") ? "objects" : "offsets",
              plan.get("total").asLong(),
              plan.get("bound").asLong(),
              plan.get("optimal").asBoolean()));
    }
    return figures;
  }

  /** Checks that each plan of the page has the offsets or the objects of the plan in the JSON. */
  private static void assertSamePlaces(JsonNode json, JsonNode data) {
    for (JsonNode shown : data.get("plans")) {
      boolean hasObjects = shown.has("objects");
      for (JsonNode plan : json.get("plans")) {
        boolean isObjects = plan.get("kind").asString().equals("objects");
        if (isObjects == hasObjects && plan.get("strategy").equals(shown.get("strategy"))) {
          if (isObjects) {
            assertThat(shown.get("objects").get("ids"))
                .hasToString(plan.get("object_ids").toString());
            assertThat(shown.get("objects").get("bytes"))
                .hasToString(plan.get("object_sizes").toString());
          } else {
            assertThat(shown.get("offsets")).hasToString(plan.get("offsets").toString());
          }
        }
      }
    }
  }

  private static void assertSvgShows(String svg, Figures best) {
    assertThat(best.kind()).isEqualTo("offsets");
    assertThat(svg)
        .contains(">" + best.strategy() + ": " + ByteUnit.exact(best.bytes()) + " for ")
        .containsPattern(
            "<text class=\"bound-text\".*>lower bound</text>\n<text class=\"bound-text\".*>"
                + Pattern.quote(ByteUnit.human(best.boundBytes()))
                + "</text>");
    assertThat(svg.contains("; optimal, ")).isEqualTo(best.isOptimal());
    assertThat(svg.contains(" above the lower bound, ")).isEqualTo(!best.isOptimal());
  }

  private static long number(String grouped) {
    return Long.parseLong(grouped.replace(",", ""));
  }
}
