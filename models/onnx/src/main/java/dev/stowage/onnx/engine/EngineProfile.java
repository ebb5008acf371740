package dev.stowage.onnx.engine;

import dev.stowage.onnx.profile.ProfileEvents;
import java.io.IOException;
import java.io.Reader;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

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
    try (Reader reader = Channels.newReader(channel, StandardCharsets.UTF_8)) {
      ProfileEvents.read("ONNX Runtime's profile", reader, profile::add);
    }
    return profile.before.isPresent()
        ? OptionalLong.of(profile.most - profile.before.getAsLong())
        : OptionalLong.empty();
  }

  private void add(ProfileEvents.Event event) {
    if (!event.isOperator() || !event.values().containsKey("mem_in_use_peak")) {
      return;
    }
    long inUse = event.number("mem_bytes_in_use");
    long peak = event.number("mem_in_use_peak");
    if (before.isEmpty()) {
      before = OptionalLong.of(inUse - event.number("mem_in_use_delta"));
    }
    // The peak counts from the creation of the session; it rises at operators that exceed it.
    most = Math.max(most, peak > peakSoFar ? peak : inUse);
    peakSoFar = peak;
  }
}
