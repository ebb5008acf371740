package dev.stowage.fleet.item;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ItemCollectorTest {

  private static final String PROBLEM = "id,lower,upper,size\na,0,1,8\n";

  @TempDir private Path folder;
  private String models;

  @BeforeEach
  void makeFiles() throws IOException {
    models = folder.resolve("models").toString();
    write("models/a.tflite", "TFL3");
    write("models/sub dir/a.tflite", "TFL3");
    write("models/sub dir/müller\nnew.onnx", "onnx");
    write("models/problem.csv", PROBLEM);
    write("models/trace.csv", "op,id,bytes\na,1,8\n");
    write("models/config.json", "{\"layers\": 3}");
    write("models/problem.json", "{\"records\": [{\"size\": 1}]}");
    write("models/.hidden/b.tflite", "TFL3");
    write("models/README.md", "text");
    Files.createSymbolicLink(
        folder.resolve("models/link.tflite"), folder.resolve("models/a.tflite"));
    Files.createSymbolicLink(folder.resolve("models/loop"), folder.resolve("models"));
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private ItemCollector collector(ItemCommand command, List<String> options, String... inputs) {
    InputStream none = InputStream.nullInputStream();
    ItemCollector collector = new ItemCollector(command, options, new LocalFiles(), none);
    for (String input : inputs) {
      collector.add(input);
    }
    return collector;
  }

  private List<String> keys(String... inputs) {
    return collector(ItemCommand.PLAN, List.of(), inputs).toList().items().stream()
        .map(item -> item.key().replace(folder.toString(), ""))
        .sorted()
        .toList();
  }

  private List<String> errors(String... inputs) {
    return collector(ItemCommand.PLAN, List.of(), inputs).toList().failures().stream()
        .map(failure -> failure.error().replace(folder.toString(), ""))
        .toList();
  }

  @Test
  void add_folder_hasModelsAndProblemsOfAllSubfolders() {
    assertThat(keys(models))
        .containsExactly(
            "/models/a.tflite",
            "/models/link.tflite",
            "/models/problem.csv",
            "/models/problem.json",
            "/models/sub dir/a.tflite",
            "/models/sub dir/müller\nnew.onnx");
    assertThat(collector(ItemCommand.PLAN, List.of(), models).skipped())
        .containsExactly(models + "/config.json", models + "/trace.csv");
  }

  @Test
  void add_folderWithADumpOfXla_hasItsModules() throws IOException {
    write("dump/module_0001.jit_f.gpu_after_optimizations-buffer-assignment.txt", "");
    write("dump/module_0002.jit_g.gpu_after_optimizations-buffer-assignment.txt.gz", "");
    write("dump/module_0001.jit_f.gpu_after_optimizations-live-range.txt", "");
    assertThat(keys(folder.resolve("dump").toString()))
        .containsExactly(
            "/dump/module_0001.jit_f.gpu_after_optimizations-buffer-assignment.txt",
            "/dump/module_0002.jit_g.gpu_after_optimizations-buffer-assignment.txt.gz");
    assertThat(
            collector(ItemCommand.BUDGET, List.of(), folder.resolve("dump").toString())
                .toList()
                .items())
        .isEmpty();
  }

  @Test
  void add_folderOfTraces_hasTraces() throws IOException {
    write("models/log.csv", "Thread,Time,Action,Pointer,Size,Stream\n");

    assertThat(
            collector(ItemCommand.REPLAY, List.of(), models).toList().items().stream()
                .map(WorkItem::key))
        .containsExactlyInAnyOrder(models + "/trace.csv", models + "/log.csv");
  }

  @Test
  void add_patterns_matchNamesAndFolders() {
    assertThat(keys(models + "/*.tflite"))
        .containsExactly("/models/a.tflite", "/models/link.tflite");
    assertThat(keys(models + "/**/*.tflite"))
        .containsExactly("/models/a.tflite", "/models/link.tflite", "/models/sub dir/a.tflite");
    assertThat(keys(models + "/sub*")).hasSize(2);
    assertThat(keys(models + "/{a,link}.tflit?")).hasSize(2);
  }

  @Test
  void add_fileWithTheNameOfAPattern_isTheFile() throws IOException {
    write("models/[x]*.tflite", "TFL3");

    assertThat(keys(models + "/[x]*.tflite")).containsExactly("/models/[x]*.tflite");
  }

  @Test
  void add_inputsInAnotherOrderAndTwice_givesTheSameItems() {
    List<String> inputs =
        new ArrayList<>(List.of(models, models + "/a.tflite", models + "/./sub dir//a.tflite"));
    List<WorkItem> items =
        collector(ItemCommand.PLAN, List.of(), inputs.toArray(String[]::new)).toList().items();
    Collections.reverse(inputs);

    assertThat(
            collector(ItemCommand.PLAN, List.of(), inputs.toArray(String[]::new)).toList().items())
        .isEqualTo(items)
        .hasSize(6);
  }

  @Test
  void add_list_hasAnInputInEachLine() throws IOException {
    String list = write("list.txt", "models/a.tflite\r\n\nmodels/sub dir\n").toString();

    assertThat(keys("@" + list)).hasSize(3).contains("/models/a.tflite");
  }

  @Test
  void add_listAndManifestWithAByteOrderMark_areRead() throws IOException {
    String list = write("list.txt", "\uFEFFmodels/a.tflite\n").toString();
    String manifest = write("m.jsonl", "\uFEFF{\"file\": \"models/a.tflite\"}\n").toString();

    assertThat(keys("@" + list)).containsExactly("/models/a.tflite");
    assertThat(keys(manifest)).containsExactly("/models/a.tflite");
  }

  @Test
  void add_listOfTheStandardInput_mayEndNamesWithZeros() {
    String names = models + "/sub dir/müller\nnew.onnx\0" + models + "/a.tflite\0";
    ItemCollector collector =
        new ItemCollector(
            ItemCommand.PLAN,
            List.of(),
            new LocalFiles(),
            new ByteArrayInputStream(names.getBytes(StandardCharsets.UTF_8)));
    collector.add("@-");

    assertThat(collector.toList().items()).hasSize(2);
  }

  @Test
  void add_manifest_hasAnItemForEachCombinationOfDimensions() throws IOException {
    String manifest =
        write(
                "models/manifest.jsonl",
                """
                {"file": "a.onnx", "dimensions": {"batch": [1, 8], "seq": "1..4"}, "options": ["--io"]}

                {"file": "a.tflite"}
                """)
            .toString();
    ItemList list = collector(ItemCommand.PLAN, List.of("--node-limit", "5"), manifest).toList();

    assertThat(list.failures()).isEmpty();
    assertThat(list.items())
        .extracting(WorkItem::arguments)
        .containsExactlyInAnyOrder(
            List.of("plan", "--node-limit", "5", "--dim", "batch=1", "--dim", "seq=1..4", "--io"),
            List.of("plan", "--node-limit", "5", "--dim", "batch=8", "--dim", "seq=1..4", "--io"),
            List.of("plan", "--node-limit", "5"));
    // There is no a.onnx beside the manifest, so that its path is as it is written.
    assertThat(list.items())
        .extracting(WorkItem::key)
        .containsExactlyInAnyOrder(
            "a.onnx --dim batch=1 --dim seq=1..4 --io",
            "a.onnx --dim batch=8 --dim seq=1..4 --io",
            models + "/a.tflite");
  }

  @Test
  void add_wrongLinesOfAManifest_areFailuresWithTheirLine() throws IOException {
    String manifest =
        write(
                "m.jsonl",
                """
                {"file": "models/a.tflite"}
                {"file": 5}
                [1]
                {"file": "x", "dims": {}}
                {"file": "x"
                {"dimensions": {"a": []}, "file": "x"}
                """)
            .toString();

    assertThat(keys(manifest)).containsExactly("/models/a.tflite");
    assertThat(errors(manifest))
        .hasSize(5)
        .anyMatch(error -> error.startsWith("/m.jsonl:2: has a file that is not a path, expected"))
        .anyMatch(error -> error.startsWith("/m.jsonl:3: is not an object, expected an object"))
        .anyMatch(error ->
            error.equals(
                "/m.jsonl:4: has the unknown field 'dims', expected file, dimensions and"
                    + " options"))
        .anyMatch(error -> error.startsWith("/m.jsonl:5: is not valid JSON: "))
        .anyMatch(error -> error.startsWith("/m.jsonl:6: has no size of the dimension 'a'"));
  }

  @Test
  void add_inputsWithoutItems_areFailures() throws IOException {
    Files.createDirectory(folder.resolve("empty"));

    assertThat(
            errors(
                folder + "/empty", folder + "/*.none", "@" + folder + "/none", folder + "/[a", ""))
        .containsExactlyInAnyOrder(
            "/empty: has no inputs of plan, expected models",
            "/*.none: no file matches the pattern",
            "/none: cannot be read: there is no such file or folder",
            "/[a: is no pattern of paths: Missing ']; quote names with a \\",
            "the name of an INPUT is empty, expected a path");
  }

  @Test
  void toList_items_areSortedByCostAndKey() {
    List<WorkItem> items = collector(ItemCommand.PLAN, List.of(), models).toList().items();

    for (int i = 1; i < items.size(); i++) {
      WorkItem before = items.get(i - 1);
      WorkItem item = items.get(i);
      assertThat(before.cost()).isGreaterThanOrEqualTo(item.cost());
      assertThat(before.cost() > item.cost() || before.key().compareTo(item.key()) < 0).isTrue();
    }
  }

  @Test
  void toJsonLine_strangeNames_isParsedAgain() {
    WorkItem item = new WorkItem("k\n\"ü\u2028", "in\\put", List.of("plan", "--dim", "a=1"), 7);

    assertThat(item.toJsonLine()).startsWith("{\"key\":\"").doesNotContain("\n");
    assertThat(WorkItem.parse(item.toJsonLine())).isEqualTo(item);
  }

  @Test
  void repeatable_searchWithoutLimit_getsALimitOfNodes() {
    assertThat(ItemCommand.PLAN.repeatable(List.of("--io")))
        .containsExactly("--io", "--node-limit", "500000");
    assertThat(ItemCommand.TUNE.repeatable(List.of())).containsExactly("--node-limit", "20000");
    assertThat(ItemCommand.PLAN.repeatable(List.of("--time-limit=5")))
        .containsExactly("--time-limit=5");
    assertThat(ItemCommand.PLAN.repeatable(List.of("--strategy", "NAIVE")))
        .containsExactly("--strategy", "NAIVE");
    assertThat(ItemCommand.PLAN.repeatable(List.of("--strategy=optimal"))).hasSize(3);
    assertThat(ItemCommand.BUDGET.repeatable(List.of())).isEmpty();
    assertThat(ItemCommand.REPLAY.repeatable(List.of())).isEmpty();
  }
}
