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
 * The memory in ONNX Runtime's profile of a run: the bytes in use after each operator, and their
 * peak so far.
 */
final class EngineProfile {

  private OptionalLong before = OptionalLong.empty();
  private long peakSoFar = Long.MAX_VALUE;
  private long most;

  private EngineProfile() {}

  /**
   * {@return the peak of the bytes in use while operators ran, minus the bytes in use before the
   * first one; empty if the profile lacks it}
   *
   * @param channel the profile, which this method closes
   * @throws IOException if the profile is incomplete
   */
  static OptionalLong peakBytes(ReadableByteChannel channel) throws IOException {
    EngineProfile profile = new EngineProfile();
    try (Reader reader = Channels.newReader(channel, StandardCharsets.UTF_8);
        JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), reader)) {
      profile.read(json);
    } catch (JacksonException | NumberFormatException e) {
      throw new IOException("ONNX Runtime's profile has an unknown format: " + e.getMessage(), e);
    }
    return profile.before.isPresent()
        ? OptionalLong.of(profile.most - profile.before.getAsLong())
        : OptionalLong.empty();
  }

  /** Reads the arguments of all events; those of operators have numbers as strings. */
  private void read(JsonParser json) {
    Deque<Map<String, String>> objects = new ArrayDeque<>();
    for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
      switch (token) {
        case START_OBJECT -> objects.push(new HashMap<>());
        case VALUE_STRING -> {
          String name = json.currentName();
          if (name != null) { // not an element of an array
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
    // The peak is that since the creation of the session; it rises at operators that exceed it.
    most = Math.max(most, peak > peakSoFar ? peak : inUse);
    peakSoFar = peak;
  }

  private static long number(Map<String, String> operator, String name) {
    return Long.parseLong(operator.getOrDefault(name, "0"));
  }
}
