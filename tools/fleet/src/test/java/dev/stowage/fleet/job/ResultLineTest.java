package dev.stowage.fleet.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ResultLineTest {

  @Test
  void parse_linesOfCommandsAndSweeps_areTheirFields() {
    assertThat(ResultLine.parse("{\"records\":[{\"input\":1}],\"input\":\"a\\\"b\"}"))
        .contains(new ResultLine("a\"b", Optional.empty()));
    assertThat(ResultLine.parse(ResultLine.ofError("ä", "line 2: \"x\"")))
        .contains(new ResultLine("ä", Optional.of("line 2: \"x\"")));
  }

  @Test
  void parse_damagedLine_isEmpty() {
    String line = "{\"input\":\"a\",\"records\":[1,2]}";

    for (int length = 0; length < line.length(); length++) {
      assertThat(ResultLine.parse(line.substring(0, length))).isEmpty();
    }
    assertThat(ResultLine.parse("{\"error\":\"no input\"}")).isEmpty();
    assertThat(ResultLine.parse("[1]")).isEmpty();
  }

  @Test
  void ofResult_severalObjects_isAnArray() {
    assertThat(ResultLine.ofResult("a", List.of("{\"x\":1}")))
        .isEqualTo("{\"input\":\"a\",\"result\":{\"x\":1}}");
    assertThat(ResultLine.ofResult("a", List.of("{\"x\":1}", "{\"x\":2}")))
        .isEqualTo("{\"input\":\"a\",\"result\":[{\"x\":1},{\"x\":2}]}");
  }
}
