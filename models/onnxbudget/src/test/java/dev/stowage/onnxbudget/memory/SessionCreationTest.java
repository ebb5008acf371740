package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulated requests of sessions against those that ONNX Runtime 1.20.0, 1.23.2 and 1.29.0
 * made. Both are replayed in the same simulation of the C library.
 */
class SessionCreationTest {

  private static final String RECORDED = "/creation-requests.txt";
  private static final int SESSIONS = 3;

  /** The simulation takes the most of some orders of requests; the engine has one order. */
  private static final double MOST_ABOVE = 0.2;

  private static final double MOST_BELOW = 0.05;

  private static final long ENVIRONMENT_BYTES = 9L << 20;

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V1_23", "V1_29"})
  void of_version_hasTheMemoryOfTheRecordedRequests(EngineVersion version) throws IOException {
    EngineSettings settings =
        EngineSettings.defaults().withVersion(version).withCpu(CpuClass.AVX512_VNNI);

    CreationMemory creation =
        SessionCreation.of(CreationModel.original(), CreationModel.optimized(), settings, SESSIONS);

    List<String> requests = recorded(version.toString());
    SystemHeap heap = new SystemHeap();
    heap.reserve(ENVIRONMENT_BYTES);
    for (int session = 0; session < SESSIONS; session++) {
      replay(requests, session * requests.size(), heap);
      assertNear(creation.residentBytes().get(session), heap.residentBytes());
      assertNear(creation.highestBytes().get(session), heap.highestBytes());
    }
  }

  private static void assertNear(long bytes, long recordedBytes) {
    assertThat((double) bytes / recordedBytes).isBetween(1 - MOST_BELOW, 1 + MOST_ABOVE);
  }

  private static void replay(List<String> requests, int firstId, SystemHeap heap) {
    for (String request : requests) {
      String[] words = request.split(" ", -1);
      int id = firstId + Integer.parseInt(words[1]);
      if (words[0].equals("f")) {
        heap.free(id);
      } else {
        heap.allocate(id, Long.parseLong(words[2]), Long.parseLong(words[3]), words[0].equals("A"));
      }
    }
  }

  /** {@return the lines after the one with a version} */
  private static List<String> recorded(String version) throws IOException {
    List<String> requests = new ArrayList<>();
    String found = "";
    for (String line : lines()) {
      if (Character.isDigit(line.charAt(0))) {
        found = line;
      } else if (found.equals(version)) {
        requests.add(line);
      }
    }
    return requests;
  }

  private static List<String> lines() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(SessionCreationTest.class.getResourceAsStream(RECORDED))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
