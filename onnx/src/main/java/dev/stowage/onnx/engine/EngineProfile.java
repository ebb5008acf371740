package dev.stowage.onnx.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the engine's profile of a run says of its memory: after each operator, how many bytes its
 * arena has in use, and the most it ever had.
 */
final class EngineProfile {

  private EngineProfile() {}

  /**
   * {@return the most bytes in use at a time while operators ran, less what was in use before the
   * first; empty if the profile does not say}
   *
   * @param file the profile
   */
  static OptionalLong peakBytes(Path file) throws IOException {
    JsonNode events;
    try {
      events = JsonMapper.shared().readTree(file);
    } catch (JacksonException e) {
      throw new IOException("the engine's profile is not as expected: " + e.getMessage(), e);
    }
    OptionalLong before = OptionalLong.empty();
    long peakSoFar = Long.MAX_VALUE;
    long most = 0;
    for (JsonNode event : events) {
      JsonNode arguments = event.path("args");
      if (!arguments.has("mem_in_use_peak")) {
        continue;
      }
      long inUse = number(arguments, "mem_bytes_in_use");
      long peak = number(arguments, "mem_in_use_peak");
      if (before.isEmpty()) {
        before = OptionalLong.of(inUse - number(arguments, "mem_in_use_delta"));
      }
      // The peak is one since the session was made, and tells of an operator where it rises.
      most = Math.max(most, peak > peakSoFar ? peak : inUse);
      peakSoFar = peak;
    }
    return before.isPresent() ? OptionalLong.of(most - before.getAsLong()) : before;
  }

  private static long number(JsonNode arguments, String name) {
    return Long.parseLong(arguments.path(name).asString("0"));
  }
}
