package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/onnx.md for the allocator, run and compared with the page. */
@Tag("full")
class OnnxGuideTest {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root", ".."));
  private static final Path GUIDE = ROOT.resolve("docs/onnx.md");
  private static final Path SOURCE =
      ROOT.resolve("adapters/onnxruntime/src/test/java/dev/stowage/onnxruntime/OnnxGuideTest.java");

  private static final Pattern IMPORT = Pattern.compile("(?m)^import (.*);\\n");

  /** The classes that the examples use. */
  private static final List<String> IMPORTABLE =
      Stream.of(
              OrtSession.class,
              AllocationTag.class,
              BfcOptions.class,
              HostMemory.class,
              OnnxRuntimeAllocator.class)
          .map(Class::getName)
          .toList();

  @TempDir private Path folder;

  /** The output of the example. */
  private final List<String> printed = new ArrayList<>();

  private void print(@Nullable Object text) {
    printed.add(String.valueOf(text));
  }

  @Test
  void guide_example_runsAndPrintsItsOutput() throws Exception {
    Path model = Files.write(folder.resolve("model.onnx"), TinyModel.ofMebibytes(3));
    try (OnnxTensor x = Engine.random(TinyModel.MEBIBYTE_ROWS, TinyModel.MEBIBYTE_COLUMNS)) {
      run(model.toString(), Map.of("x", x));
    }
    String section = section(Files.readString(GUIDE));
    String tested = unindented(Files.readString(SOURCE));
    for (String example : blocks(section, "java")) {
      String code = IMPORT.matcher(example).replaceAll("").replace("IO.println(", "print(");
      assertThat(tested).contains(unindented(code.strip()));
      assertThat(imports(example)).containsExactlyElementsOf(importsFor(code));
    }
    assertThat(blocks(section, "text").stream().map(OnnxGuideTest::unbroken))
        .isEqualTo(printed.stream().map(OnnxGuideTest::unbroken).toList());
  }

  /** {@return the section of the page on the allocator} */
  private static String section(String guide) {
    Matcher matcher =
        Pattern.compile(
                "^## ONNX Runtime on Stowage's allocator$(.*?)(?=^## |\\z)",
                Pattern.DOTALL | Pattern.MULTILINE)
            .matcher(guide);
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  private static List<String> imports(String example) {
    return IMPORT.matcher(example).results().map(line -> line.group(1)).toList();
  }

  /** {@return the classes that the code names and that need an import, sorted} */
  private static List<String> importsFor(String code) {
    return IMPORTABLE.stream()
        .filter(type -> Pattern.compile("\\b" + simple(type) + "\\b").matcher(code).find())
        .sorted()
        .toList();
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /** {@return a text on one line, because the page may have other line breaks} */
  private static String unbroken(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  private static List<String> blocks(String guide, String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(guide)
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  private static String unindented(String code) {
    return String.join("\n", code.lines().map(String::strip).toList());
  }

  private void run(String model, Map<String, OnnxTensor> inputs) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    AllocationTag tag = AllocationTag.of("classifier");
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator =
            OnnxRuntimeAllocator.register("engine", host, BfcOptions.expandable());
        OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      allocator.configure(options);
      options.addConfigEntry("session.disable_prepacking", "1"); // for weights from it, too
      try (OrtSession session = tag.call(() -> environment.createSession(model, options));
          OrtSession.Result _ = tag.call(() -> session.run(inputs))) {
        allocator.check();
        print(allocator.report());
      }
    }
  }
}
