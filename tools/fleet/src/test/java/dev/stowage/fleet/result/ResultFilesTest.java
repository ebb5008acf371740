package dev.stowage.fleet.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.fleet.item.ItemId;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFilesTest {

  private static final String PLAN =
      """
      {"input":"a","naive_bytes":100,"lower_bounds":{"offsets":40,"objects":50},"records":[{"bytes":9}],\
      "plans":[{"strategy":"NAIVE","kind":"offsets","total_bytes":100,"optimal":false},\
      {"strategy":"OPTIMAL","kind":"offsets","total_bytes":44,"offsets":[0],"optimal":false},\
      {"strategy":"EQUALITY","kind":"objects","total_bytes":30,"optimal":false}]}\
      """;

  @TempDir private Path folder;

  private static ItemResult done(String key, String json, boolean isCut) {
    return new Done(
        new ItemId(key, key, List.of("--io")),
        1.5,
        0,
        new Done.Output(json, List.of()),
        isCut,
        false);
  }

  private static ItemResult failed(String key, int exitCode, String error) {
    return new Failed(new ItemId(key, key, List.of()), exitCode, error, List.of(), false);
  }

  private Path write(String name, ItemResult... results) throws IOException {
    return Files.write(
        folder.resolve(name), List.of(results).stream().map(ItemResult::toJsonLine).toList());
  }

  @Test
  void parse_plan_hasTheSmallestOffsets() {
    ResultRow row = ResultRow.parse(done("a", PLAN, true).toJsonLine());

    assertThat(row.isCut()).isTrue();
    assertThat(row.figures().before()).hasValue(100);
    assertThat(row.figures().bytes()).hasValue(44);
    assertThat(row.figures().bound()).hasValue(40);
    assertThat(row.figures().choice()).isEqualTo("OPTIMAL");
  }

  @Test
  void parse_severalOutputs_hasTheLargestBytes() {
    String outputs = "[{\"predicted_bytes\":5},{\"predicted_bytes\":7}]";

    assertThat(ResultRow.parse(done("a", outputs, false).toJsonLine()).figures().bytes())
        .hasValue(7);
  }

  @Test
  void print_summary_hasItemsFailuresAndCounts() throws IOException {
    Path results =
        write(
            "r",
            done("a", PLAN, true),
            done("b\u202E", "{\"peak_reserved_bytes\":2048}", false),
            failed("c", 3, "c: is wrong\nmore"));
    SweepSummary summary = SweepSummary.of(results, 10);
    StringWriter out = new StringWriter();
    new SummaryTable(summary, "plan").print(1, new PrintWriter(out));

    assertThat(out.toString())
        .isEqualTo(
            """
            ITEM    unshared  bytes             over bound  strategy
              b?           -  2,048  2.000 KiB           -
              a        100 B     44       44 B     +10.0 %  OPTIMAL (cut)

            FAILED
              c: is wrong

            2 items done, 1 cut by time, 1 failed, 1 from the cache; 3.0 s of plan
            """);
    assertThat(summary.exitCode()).isEqualTo(3);
  }

  @Test
  void exitCode_severalFailures_isTheGravest() throws IOException {
    assertThat(SweepSummary.of(write("r", failed("a", 3, "x"), failed("b", -1, "y")), 1).exitCode())
        .isEqualTo(1);
    assertThat(SweepSummary.of(write("r", failed("a", 2, "x")), 1).exitCode()).isEqualTo(3);
    assertThat(SweepSummary.of(write("r", done("a", "{}", false)), 1).exitCode()).isZero();
  }

  @Test
  void write_avro_hasAllResultsAndEqualBytes() throws IOException {
    Path results = write("r", done("a", PLAN, false), failed("b", 3, "wrong"));
    AvroFile.write(results, folder.resolve("1.avro"));
    AvroFile.write(results, folder.resolve("2.avro"));

    assertThat(folder.resolve("1.avro")).hasSameBinaryContentAs(folder.resolve("2.avro"));
    List<String> read = new ArrayList<>();
    try (DataFileReader<GenericRecord> records =
        new DataFileReader<>(folder.resolve("1.avro").toFile(), new GenericDatumReader<>())) {
      records.forEach(record ->
          read.add(record.get("key") + " " + record.get("bytes") + " " + record.get("error")));
    }
    assertThat(read).containsExactly("a 44 null", "b null wrong");
  }

  @Test
  void merge_sortedFiles_isSortedWithoutDuplicates() throws IOException {
    Path first = write("1", done("a", "{}", false), done("c", "{}", false));
    Path second = write("2", done("b", "{}", false), failed("c", 3, "twice"));

    assertThat(LineMerge.merge(List.of(first, second), folder.resolve("all"))).isEqualTo(3);
    assertThat(Files.readAllLines(folder.resolve("all")))
        .extracting(line -> ResultRow.parse(line).item().key())
        .containsExactly("a", "b", "c");
    LineMerge.add(first, List.of(failed("b", 3, "x").toJsonLine()));
    assertThat(Files.readAllLines(first)).hasSize(3);
    Path unsorted = write("3", done("b", "{}", false), done("a", "{}", false));
    assertThatThrownBy(() -> LineMerge.merge(List.of(unsorted), folder.resolve("all")))
        .hasMessage(unsorted + " is not sorted by key: 'a' is behind 'b'");
  }

  @Test
  void contains_allShards_haveEachKeyOnce() {
    TreeSet<Integer> used = new TreeSet<>();
    for (int key = 0; key < 100; key++) {
      int owners = 0;
      for (int index = 1; index <= 3; index++) {
        if (new Shard(index, 3).contains("key " + key)) {
          owners++;
          used.add(index);
        }
      }
      assertThat(owners).isEqualTo(1);
    }
    assertThat(used).hasSize(3);
    assertThat(Shard.parse("2/3")).contains(new Shard(2, 3));
    assertThat(List.of("0/3", "4/3", "1", "1/0", "a/b", "-1/2", "1/2/3"))
        .allSatisfy(text -> assertThat(Shard.parse(text)).isEmpty());
  }

  @Test
  void read_factsOfASweep_areThoseWritten() throws IOException {
    SweepFacts facts = new SweepFacts("plan", List.of("--io"), "1.0", new Shard(2, 4), 12, true);
    Files.writeString(folder.resolve("sweep.json"), facts.toJson());

    assertThat(SweepFacts.read(folder)).isEqualTo(facts);
  }
}
