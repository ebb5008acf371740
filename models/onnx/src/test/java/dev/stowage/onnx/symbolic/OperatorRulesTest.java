package dev.stowage.onnx.symbolic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The list of operators in the documentation of the package, to which the guide refers. */
class OperatorRulesTest {

  private static final String LIST = "src/main/java/dev/stowage/onnx/symbolic/package-info.java";

  @Test
  void names_ofAllOperatorsWithRules_areInTheList() throws IOException {
    Path root = SampleModels.examples().resolveSibling("");
    String page = Files.readString(root.resolve("models/onnx").resolve(LIST));
    Matcher name =
        Pattern.compile("\\{@code[\\s*]+([A-Z]\\w*)}")
            .matcher(page.substring(page.indexOf("Operators with rules")));
    Set<String> names = new TreeSet<>();
    while (name.find()) {
      names.add(name.group(1));
    }

    Set<String> expected = new TreeSet<>(OperatorRules.names());
    for (String operator : Set.of("If", "Loop", "Scan")) {
      assertThat(ControlRules.isControl(operator)).isTrue();
      expected.add(operator);
    }
    assertThat(names).isEqualTo(expected);
    String guide = Files.readString(root.resolve("docs/onnx.md"));
    assertThat(guide).contains("[" + names.size() + " operators](../models/onnx/" + LIST + ")");
  }
}
