package dev.stowage.onnx.symbolic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The list of operators in the guide. */
class OperatorRulesTest {

  @Test
  void names_ofAllOperatorsWithRules_areInTheGuide() throws IOException {
    String guide =
        Files.readString(SampleModels.examples().resolveSibling("docs").resolve("onnx.md"));
    String table = guide.substring(guide.indexOf("| operators with rules |"));
    Matcher name =
        Pattern.compile("`([A-Z]\\w*)`").matcher(table.substring(0, table.indexOf("\n\n")));
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
  }
}
