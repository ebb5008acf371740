package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code replay} of several traces, folders and settings. */
class ReplayManyTest {

  private static final String SMALL = "op,id,bytes,stream,t\na,x,1000,0,0\n";
  private static final String LARGE = "op,id,bytes,stream,t\na,y,4000000,0,0\n";

  @TempDir private Path folder;

  private Path file(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }

  private static String[] inputs(CommandRun run) {
    return run.out()
        .lines()
        .map(line -> new JsonMapper().readTree(line).get("input").stringValue())
        .toArray(String[]::new);
  }

  @Test
  void replay_folder_takesTracesOfSubfoldersInOrderAndSkipsOtherFiles() throws IOException {
    Path b = file("b.csv", SMALL);
    Path a = file("a/z.csv", SMALL);
    file("README", "Traces.\n");
    file("empty.csv", "");
    file(".hidden.csv", SMALL);
    file(".git/c.csv", SMALL);
    CommandRun run = CommandRun.of("replay", folder, "--format", "json");
    assertThat(inputs(run)).containsExactly(a.toString(), b.toString());
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).isEmpty();
  }

  @Test
  void replay_linksInFolders_leadToFilesButNotToFolders() throws IOException {
    Path t = file("in/t.csv", SMALL);
    Path in = folder.resolve("in");
    Files.createSymbolicLink(in.resolve("loop"), in);
    Files.createSymbolicLink(in.resolve("self"), in.resolve("self"));
    Path link = Files.createSymbolicLink(in.resolve("u.csv"), t);
    CommandRun run = CommandRun.of("replay", in, "--format", "json");
    assertThat(inputs(run)).containsExactly(t.toString(), link.toString());
    assertThat(run.err()).isEmpty();
    Path linked = Files.createSymbolicLink(folder.resolve("linked"), in);
    assertThat(inputs(CommandRun.of("replay", linked, "--format", "json")))
        .containsExactly(linked + "/t.csv", linked + "/u.csv");
  }

  @Test
  void replay_emptyFolder_exits3() {
    CommandRun run = CommandRun.of("replay", folder);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + folder
                + ": has no traces, expected snapshots of PyTorch (.pickle), logs of XLA, recordings of JDK Flight Recorder (.jfr) or .csv files\n");
  }

  @Test
  void replay_severalTraces_giveOneTable() throws IOException {
    Path small = file("small.csv", SMALL);
    Path large = file("large.csv", LARGE);
    CommandRun run = CommandRun.wide("replay", small, large, "--limit", "2MiB");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    String[] lines = run.out().lines().toArray(String[]::new);
    assertThat(lines[0])
        .isEqualTo(
            "Requests fail in 1 of 2 replays, first in "
                + large
                + ", replayed with a BFC allocator with --limit 2MiB.");
    assertThat(lines[1]).isEqualTo("The first failure of each follows the table.");
    assertThat(lines[3].split("  +"))
        .containsExactly("REPLAY", "failed", "requested", "reserved", "over", "confidence");
    assertThat(lines[4].strip().split("  +"))
        .containsExactly("small", "0", "1000 B", "1.000 MiB", "+104,757.6 %", "exact");
    assertThat(lines[5].strip().split("  +")).containsExactly("large", "1", "0 B", "0 B", "exact");
    assertThat(lines[8])
        .startsWith(large + ": First failure, event 1, 'y': allocator 'replay' is out of memory");
  }

  @Test
  void replay_longNames_fitTheTerminal() throws IOException {
    Path trace = file("t".repeat(100) + ".csv", SMALL);
    String settings = "max_split_size_mb:64,max_non_split_rounding_mb:128";
    CommandRun run =
        CommandRun.of(
            "replay",
            trace,
            trace,
            "--allocator",
            "pytorch",
            "--settings",
            settings,
            "--settings",
            "");
    assertThat(run.out()).contains("\n  " + settings + "\n");
    assertThat(run.out().lines().skip(1)).allMatch(line -> line.length() <= 80);
  }

  @Test
  void replay_severalSettings_haveALineEach() throws IOException {
    Path trace = file("t.csv", LARGE);
    CommandRun run =
        CommandRun.of(
            "replay",
            trace,
            "--allocator",
            "pytorch",
            "--settings",
            "expandable_segments:True",
            "--settings",
            "");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .containsPattern("\n  expandable_segments:True +0 ")
        .containsPattern("\n  defaults +0 ");
  }

  @Test
  void replay_csv_hasALineForEachTrace() throws IOException {
    Path small = file("a,b.csv", SMALL);
    Path large = file("c.csv", LARGE);
    CommandRun run = CommandRun.of("replay", small, large, "--limit", "1MiB", "--format", "csv");
    String[] lines = run.out().lines().toArray(String[]::new);
    assertThat(lines).hasSize(3);
    assertThat(lines[0])
        .startsWith(
            "input,allocator,settings,events,allocations,frees,failures,peak_requested_bytes,")
        .endsWith(",limit_low_bytes,limit_high_bytes,region_count,first_failure");
    assertThat(lines[1])
        .startsWith("\"%s\",bfc,--limit 1MiB,1,1,0,0,1000,1024,1048576,1048576,".formatted(small))
        .endsWith(",1,");
    assertThat(lines[2])
        .startsWith(large + ",bfc,--limit 1MiB,1,1,0,1,0,0,0,0,")
        .contains("out of memory");
  }

  @Test
  void replay_json_hasVersionAndReason() throws IOException {
    CommandRun run =
        CommandRun.of("replay", file("c.csv", LARGE), "--limit", "1MiB", "--format", "json");
    JsonNode failure = new JsonMapper().readTree(run.out()).get("first_failure");
    assertThat(failure.get("event").intValue()).isEqualTo(1);
    assertThat(failure.get("id").stringValue()).isEqualTo("y");
    assertThat(failure.get("verdict").stringValue()).isEqualTo("does_not_fit");
    assertThat(failure.get("reason").stringValue()).contains("limit: 1 MiB (1,048,576 bytes)");
  }

  @Test
  void replay_failuresAndUnreadableFiles_exitWithTheGravestCode() throws IOException {
    Path large = file("large.csv", LARGE);
    Path small = file("small.csv", SMALL);
    Path cut = file("cut.csv", SMALL + "a,");
    assertThat(CommandRun.of("replay", large, small, "--limit", "1MiB").exitCode())
        .isEqualTo(ExitCode.NO_PLAN);
    assertThat(
            CommandRun.of("replay", large, small, "--limit", "1MiB", "--allow-failures").exitCode())
        .isEqualTo(ExitCode.DONE);
    assertThat(CommandRun.of("replay", large, cut, "--limit", "1MiB").exitCode())
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(
            CommandRun.of("replay", large, cut, "--limit", "1MiB", "--allow-failures").exitCode())
        .isEqualTo(ExitCode.BAD_INPUT);
  }

  @Test
  void replay_outputFolder_hasAPageForEachTrace() throws IOException {
    Path a = file("a/t.csv", SMALL);
    Path b = file("b/T.csv", SMALL);
    Path pages = folder.resolve("new/pages");
    CommandRun run = CommandRun.of("replay", a, b, a, "--output", pages + "/");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    try (Stream<Path> files = Files.list(pages)) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())))
          .containsExactlyInAnyOrder("index.html", "t.csv.html", "T.csv-2.html", "t.csv-3.html");
    }
    assertThat(Files.readString(pages.resolve("T.csv-2.html"))).contains("<title>T.csv</title>");
    assertThat(Files.readString(pages.resolve("index.html")))
        .contains("<a href=\"./t.csv.html\">", "<a href=\"./T.csv-2.html\">");
  }

  @Test
  void replay_outputFolderWithAnIndexOfOthers_keepsIt() throws IOException {
    Path trace = file("t.csv", SMALL);
    Path index = file("pages/index.html", "<html>mine</html>");
    CommandRun run = CommandRun.of("replay", trace, "--output", folder.resolve("pages"));
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .contains(
            "stowage: "
                + index
                + ": cannot be written: it exists and is not a page of Stowage; move it, or use"
                + " another folder\n");
    assertThat(index).hasContent("<html>mine</html>");
    assertThat(folder.resolve("pages/t.csv.html")).exists();
  }

  @Test
  void replay_outputFolderAgain_replacesItsIndex() throws IOException {
    Path trace = file("t.csv", SMALL);
    for (int i = 0; i < 2; i++) {
      CommandRun run = CommandRun.of("replay", trace, "--output", folder.resolve("pages") + "/");
      assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    }
  }

  @Test
  void replay_outputFolder_doesNotReplaceATrace() throws IOException {
    Path first = file("t.csv", SMALL);
    Path second = file("t.csv.html", SMALL);
    CommandRun run = CommandRun.of("replay", folder, "--output", folder);
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(first).hasContent(SMALL.strip());
    assertThat(second).hasContent(SMALL.strip());
    assertThat(folder.resolve("t.csv-2.html")).exists();
  }

  @Test
  void replay_outputFolderThatIsAFile_exits1() throws IOException {
    Path trace = file("t.csv", SMALL);
    CommandRun run = CommandRun.of("replay", trace, "--output", trace + "/");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("stowage: " + trace + "/: cannot be written: ");
  }

  @Test
  void replay_snapshotOfAFolderOrPlacementsOfSeveralSettings_isUsage() throws IOException {
    Path trace = file("t.csv", SMALL);
    CommandRun ofFolder = CommandRun.of("replay", folder, "--output", "p.pickle");
    assertThat(ofFolder.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ofFolder.err())
        .startsWith(
            "stowage: --output PATH.pickle writes one replay, but there are several traces or --settings;");
    CommandRun ofSettings =
        CommandRun.of(
            "replay",
            trace,
            "--allocator",
            "pytorch",
            "--settings",
            "",
            "--settings",
            "",
            "--placements",
            "p.csv");
    assertThat(ofSettings.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ofSettings.err())
        .startsWith(
            "stowage: --placements writes one replay, but there are several traces or --settings;");
  }

  @Test
  void replay_interrupted_marksTheTable() throws IOException {
    Path trace = file("t.csv", SMALL);
    Path other = file("u.csv", SMALL);
    CommandRun run = CommandRun.interrupted("replay", trace, other);
    assertThat(run.exitCode()).isEqualTo(143);
    assertThat(run.out()).isEqualTo("Interrupted: the table lacks traces.\n");
    assertThat(run.err())
        .isEqualTo(
            "stowage: interrupted: not replayed: %s\nstowage: interrupted: not replayed: %s\n"
                .formatted(trace, other));
  }
}
