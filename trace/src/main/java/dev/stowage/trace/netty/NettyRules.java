package dev.stowage.trace.netty;

import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PytorchRecording;
import dev.stowage.trace.replay.SimulatedAllocator;
import java.util.Optional;
import java.util.OptionalLong;

/** The rules of Netty's allocators. */
public final class NettyRules implements AllocatorRules {

  private final Optional<NettySettings> settings;
  private final OptionalLong limitBytes;

  /**
   * Creates the rules.
   *
   * @param settings the settings; empty for those of the recording, or the defaults
   * @param limitBytes the most bytes of all chunks; empty for any number
   */
  public NettyRules(Optional<NettySettings> settings, OptionalLong limitBytes) {
    this.settings = settings;
    this.limitBytes = limitBytes;
  }

  @Override
  public SimulatedAllocator start(Optional<PytorchRecording> recording) {
    return new NettyAllocator(settings, limitBytes);
  }
}
