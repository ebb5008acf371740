package dev.stowage.trace.netty;

import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PytorchRecording;
import dev.stowage.trace.replay.SimulatedAllocator;
import java.util.Optional;
import java.util.OptionalLong;

/** Replays of recordings in a real Netty. */
public final class NettyRules implements AllocatorRules {

  private final NettyEngine engine;
  private final Optional<NettySettings> settings;
  private final OptionalLong limitBytes;

  /**
   * Creates the rules.
   *
   * @param engine runs Netty
   * @param settings the settings; empty for those of the recording
   * @param limitBytes the most bytes of direct memory; empty for that of the settings
   */
  public NettyRules(NettyEngine engine, Optional<NettySettings> settings, OptionalLong limitBytes) {
    this.engine = engine;
    this.settings = settings;
    this.limitBytes = limitBytes;
  }

  @Override
  public SimulatedAllocator start(Optional<PytorchRecording> recording) {
    return new NettyAllocator(engine, settings, limitBytes);
  }
}
