package dev.stowage.fleet.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.fleet.item.ItemCollector;
import dev.stowage.fleet.item.ItemCommand;
import dev.stowage.fleet.item.WorkItem;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Inputs with a scheme; file:// stands for the file systems of a cluster. */
class FlinkFilesTest {

  private static final String PROBLEM = "id,lower,upper,size\n0,0,1,8\n";

  @TempDir Path folder;

  @BeforeEach
  void writeModels() throws Exception {
    Files.createDirectories(folder.resolve("deep"));
    Files.writeString(folder.resolve("a.csv"), PROBLEM);
    Files.writeString(folder.resolve("deep/b.csv"), PROBLEM);
  }

  @Test
  void add_folderWithScheme_findsItsFiles() {
    assertThat(inputs("file://" + folder))
        .containsExactly("file://" + folder + "/a.csv", "file://" + folder + "/deep/b.csv");
  }

  @Test
  void add_patternWithScheme_findsTheFilesThatMatch() {
    assertThat(inputs("file://" + folder + "/*/*.csv"))
        .containsExactly("file://" + folder + "/deep/b.csv");
  }

  @Test
  void add_patternOfTheFirstName_isRejected() {
    ItemCollector collector = collector();
    collector.add("s3://*");

    assertThat(collector.toList().failures())
        .singleElement()
        .satisfies(failure ->
            assertThat(failure.error())
                .isEqualTo("s3://*: a pattern begins after the first name of the path"));
  }

  @Test
  void add_unknownScheme_isAnItemWhoseRunReportsIt() {
    assertThat(inputs("nowhere://x/model.onnx")).containsExactly("nowhere://x/model.onnx");
  }

  private static List<String> inputs(String input) {
    ItemCollector collector = collector();
    collector.add(input);
    assertThat(collector.toList().failures()).isEmpty();
    return collector.toList().items().stream().map(WorkItem::input).sorted().toList();
  }

  private static ItemCollector collector() {
    return new ItemCollector(
        ItemCommand.PLAN, List.of(), new FlinkFiles(), InputStream.nullInputStream());
  }
}
