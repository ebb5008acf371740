package dev.stowage.onnx.engine;

import dev.stowage.onnx.profile.EventTime;
import dev.stowage.onnx.profile.ProfileEventParser;
import dev.stowage.onnx.profile.ProfileListener;
import dev.stowage.onnx.profile.ProfiledOperator;
import dev.stowage.onnx.profile.ProfiledOperator.ArenaStatistics;
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
final class EngineProfile implements ProfileListener {

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
      if (!ProfileEventParser.parse("ONNX Runtime's profile", reader, profile)) {
        throw new IOException("ONNX Runtime's profile ends within an event");
      }
    }
    return profile.before.isPresent()
        ? OptionalLong.of(profile.most - profile.before.getAsLong())
        : OptionalLong.empty();
  }

  @Override
  public void operator(ProfiledOperator event, EventTime time) {
    event.arena().ifPresent(this::add);
  }

  private void add(ArenaStatistics arena) {
    long inUse = arena.inUseBytes();
    if (before.isEmpty()) {
      before = OptionalLong.of(inUse - arena.deltaBytes());
    }
    // The peak is that since the creation of the session; it rises at operators that exceed it.
    most = Math.max(most, arena.peakBytes() > peakSoFar ? arena.peakBytes() : inUse);
    peakSoFar = arena.peakBytes();
  }
}
