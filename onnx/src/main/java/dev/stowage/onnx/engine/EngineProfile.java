package dev.stowage.onnx.engine;

import java.io.IOException;
import java.io.Reader;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What the engine's profile of a run says of its memory: after each operator, how many bytes its
 * arena has in use, and the most it ever had.
 */
final class EngineProfile {

  private OptionalLong before = OptionalLong.empty();
  private long peakSoFar = Long.MAX_VALUE;
  private long most;

  private EngineProfile() {}

  /**
   * {@return the most bytes in use at a time while operators ran, less what was in use before the
   * first; empty if the profile does not say}
   *
   * @param channel the profile, which is closed
   * @throws IOException if the profile is not complete
   */
  static OptionalLong peakBytes(ReadableByteChannel channel) throws IOException {
    EngineProfile profile = new EngineProfile();
    try (Reader reader = Channels.newReader(channel, StandardCharsets.UTF_8);
        JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), reader)) {
      profile.read(json);
    } catch (JacksonException | NumberFormatException e) {
      throw new IOException("the engine's profile is not as expected: " + e.getMessage(), e);
    }
    return profile.before.isPresent()
        ? OptionalLong.of(profile.most - profile.before.getAsLong())
        : OptionalLong.empty();
  }

  /** Reads the arguments of all events, of which those of an operator hold numbers as texts. */
  private void read(JsonParser json) {
    Deque<Map<String, String>> objects = new ArrayDeque<>();
    for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
      switch (token) {
        case START_OBJECT -> objects.push(new HashMap<>());
        case VALUE_STRING -> {
          String name = json.currentName();
          if (name != null) { // else it is one of an array
            objects.element().put(name, json.getString());
          }
        }
        case END_OBJECT -> {
          Map<String, String> object = objects.pop();
          if (object.containsKey("mem_in_use_peak")) {
            add(object);
          }
        }
        default -> {}
      }
    }
  }

  private void add(Map<String, String> operator) {
    long inUse = number(operator, "mem_bytes_in_use");
    long peak = number(operator, "mem_in_use_peak");
    if (before.isEmpty()) {
      before = OptionalLong.of(inUse - number(operator, "mem_in_use_delta"));
    }
    // The peak is one since the session was made, and tells of an operator where it rises.
    most = Math.max(most, peak > peakSoFar ? peak : inUse);
    peakSoFar = peak;
  }

  private static long number(Map<String, String> operator, String name) {
    return Long.parseLong(operator.getOrDefault(name, "0"));
  }
}
