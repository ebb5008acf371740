package dev.stowage.onnx.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.plan.MalformedFileException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Test;

class NodeStatisticsTest {

  private static NodeStatistics read(String text) throws IOException {
    return NodeStatistics.read("s.csv", new BufferedReader(new StringReader(text)));
  }

  @Test
  void requestedBytes_ofOperators_areThoseOfTheLastColumn() throws IOException {
    NodeStatistics statistics =
        read(
            """
            #name,input_sizes,initializers_sizes,total_dynamic_sizes,total_temp_allocations
            LSTM_9_18355093553171953105,57344,0,1720320,7706944
            a,b;c_1,1,2,3,4
            If_2,0,0,0,5
            If_3,0,0,0,9
            """);
    assertThat(statistics.requestedBytes("LSTM_9")).hasValue(7706944);
    assertThat(statistics.requestedBytes("a,b;c")).hasValue(4);
    assertThat(statistics.requestedBytes("If")).hasValue(9);
    assertThat(statistics.requestedBytes("LSTM")).isEmpty();
  }

  @Test
  void read_otherFiles_areMalformed() {
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> read("#name\n"))
        .withMessage("s.csv: has no operator, expected node memory statistics of ONNX Runtime");
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> read("a_1,1,2,3,4\nb_2,1,2,3\n"))
        .withMessage(
            "s.csv: line 2: expected the name of an operator and four whole numbers, found 'b_2,1,2,3'");
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> read("a_1,1,2,-3,4\n"))
        .withMessageStartingWith("s.csv: line 1: ");
  }
}
