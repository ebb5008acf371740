package dev.stowage.cli.netty;

import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.SettingsSpace;
import dev.stowage.trace.tune.TunedTrace;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The settings of Netty's adaptive and pooled allocators for a search: at most twelve, because each
 * is a process. Settings that the version of Netty ignores are left out.
 *
 * <p>The unpooled allocator needs least memory by definition, but a call of the system for each
 * buffer. It is not among them.
 *
 * @param engine runs Netty
 * @param limitBytes the most bytes of direct memory; empty for the limit of the recording
 */
public record NettySpace(ChildNetty engine, OptionalLong limitBytes) implements SettingsSpace {

  private static final List<String> OTHERS =
      List.of(
          "lowMemory=true",
          "threadLocalChunkCacheMaxBytes=1048576",
          "chunkReuseQueueCapacity=2",
          "chunkReuseQueueCapacity=2 threadLocalChunkCacheMaxBytes=1048576",
          "type=pooled",
          "type=pooled maxOrder=6",
          "type=pooled numDirectArenas=1",
          "type=pooled numDirectArenas=1 maxOrder=7",
          "type=pooled numDirectArenas=1 maxOrder=6 smallCacheSize=0 normalCacheSize=0",
          "type=pooled numDirectArenas=1 maxOrder=4 smallCacheSize=0 normalCacheSize=0");

  @Override
  public List<Candidate> candidates(TunedTrace trace) {
    Stream<NettySettings> others =
        OTHERS.stream()
            .map(text -> NettySettings.parse(text.replaceAll("\\w+=", "-Dio.netty.allocator.$0")))
            .filter(settings ->
                trace.program().filter(it -> engine.unknown(it, settings).isEmpty()).isPresent());
    return Stream.of(Stream.of(NettySettings.parse(""), recorded(trace)), others)
        .flatMap(settings -> settings)
        .map(NettySettings::toString) // without the facts about a machine
        .distinct()
        .map(this::candidate)
        .toList();
  }

  /** {@return a candidate; it runs with the facts about the machine of each trace} */
  private Candidate candidate(String text) {
    NettySettings settings = NettySettings.parse(text);
    return new Candidate(
        text,
        settings.paste(),
        settings.changes(),
        NettyAllocator.rules(engine, Optional.of(settings), limitBytes));
  }

  private static NettySettings recorded(TunedTrace trace) {
    return NettySettings.parse(trace.program().map(RecordedProgram::settings).orElse(""));
  }

  @Override
  public Candidate baseline(List<Candidate> candidates, TunedTrace trace) {
    return Candidate.withSettings(candidates, recorded(trace).toString());
  }
}
