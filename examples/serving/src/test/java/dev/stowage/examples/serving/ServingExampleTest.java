package dev.stowage.examples.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServingExampleTest {

  /** Two layers, 64 KiB for a token, and a token each second. */
  private static final ServedModel MODEL = new ServedModel(2, 65536, 64, 1);

  @Test
  void serve_twoRequests_countsTheBytesOfEachSecond() {
    // tokens: 20 21 22, and from the second second on 40, which ends at once
    List<Request> requests = List.of(new Request(0, 20, 2), new Request(1, 40, 0));
    List<Usage> usages = ServingExample.serve(MODEL, requests);
    long token = 2 * MODEL.tokenBytes();
    assertThat(usages)
        .extracting(Usage::sumBytes)
        .containsExactly(
            (20 + 21 + 22 + 40) * token,
            (20 + 21 + 22 + 40) * token,
            (32 * 3 + 48) * token,
            (32 * 3 + 64) * token,
            4 * 64 * token);
    assertThat(usages)
        .extracting(Usage::peakBytes)
        .containsExactly(61 * token, 61 * token, 80 * token, 96 * token, 128 * token);
    assertThat(usages.getFirst().maxRequestCount()).isEqualTo(2);
  }

  @Test
  void print_aTrace_hasALineForEachWay(@TempDir Path folder) throws IOException {
    Path trace =
        Files.writeString(
            folder.resolve("trace.csv"),
            """
            TIMESTAMP,ContextTokens,GeneratedTokens
            2023-11-16 18:17:03.9799600,20,2
            2023-11-16 18:17:04.9799600,40,0
            """);
    List<Request> requests = Request.read(trace);
    assertThat(requests).containsExactly(new Request(0, 20, 2), new Request(1, 40, 0));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ServingExample.print(MODEL, requests, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .hasSize(7)
        .startsWith("2 requests, at most 2 at a time")
        .endsWith("the full context                         0.01     148.5%       0.02");
  }

  @Test
  void read_aLineWithoutNumbers_isRejectedWithItsNumber(@TempDir Path folder) throws IOException {
    Path trace =
        Files.writeString(folder.resolve("trace.csv"), "header\n2023-11-16 18:17:03.9,20,two\n");
    assertThatIOException()
        .isThrownBy(() -> Request.read(trace))
        .withMessage(
            "%s, line 2: expected TIME,CONTEXT_TOKENS,GENERATED_TOKENS: 2023-11-16 18:17:03.9,20,two",
            trace);
  }
}
