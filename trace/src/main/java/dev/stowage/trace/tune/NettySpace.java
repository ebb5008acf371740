package dev.stowage.trace.tune;

import dev.stowage.trace.netty.NettyEngine;
import dev.stowage.trace.netty.NettyRules;
import dev.stowage.trace.netty.NettySettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The settings of Netty's adaptive and pooled allocators that a search tries: at most twelve,
 * because each is a process, and only those that the version of Netty knows.
 *
 * <p>The unpooled allocator needs least memory by definition, but a call of the system for each
 * buffer. It is not among them.
 */
final class NettySpace implements SettingsSpace {

  private static final int MEBIBYTE = 1 << 20;

  private final NettyEngine engine;
  private final OptionalLong limitBytes;

  NettySpace(NettyEngine engine, OptionalLong limitBytes) {
    this.engine = engine;
    this.limitBytes = limitBytes;
  }

  @Override
  public List<Candidate> candidates(List<TunedTrace> traces) {
    Map<String, Candidate> all = new LinkedHashMap<>();
    add(NettySettings.defaults(), all);
    traces.forEach(trace -> add(recorded(trace), all));
    others().filter(settings -> isKnown(settings, traces)).forEach(settings -> add(settings, all));
    return List.copyOf(all.values());
  }

  private static Stream<NettySettings> others() {
    NettySettings usual = NettySettings.defaults();
    NettySettings shortQueue = usual.with("chunkReuseQueueCapacity", 2);
    NettySettings pooled = usual.with("type", "pooled");
    NettySettings single = pooled.with("numDirectArenas", 1);
    return Stream.of(
        usual.with("lowMemory", true),
        usual.with("threadLocalChunkCacheMaxBytes", MEBIBYTE),
        shortQueue,
        shortQueue.with("threadLocalChunkCacheMaxBytes", MEBIBYTE),
        pooled,
        pooled.with("maxOrder", 6),
        single,
        single.with("maxOrder", 7),
        withoutCaches(single.with("maxOrder", 6)),
        withoutCaches(single.with("maxOrder", 4)));
  }

  private static NettySettings withoutCaches(NettySettings settings) {
    return settings.with("smallCacheSize", 0).with("normalCacheSize", 0);
  }

  private boolean isKnown(NettySettings settings, List<TunedTrace> traces) {
    return settings.properties().stream()
        .allMatch(property -> traces.stream().allMatch(trace -> isKnown(property, trace)));
  }

  private boolean isKnown(String property, TunedTrace trace) {
    return trace.program().filter(program -> engine.knows(program, property)).isPresent();
  }

  private void add(NettySettings settings, Map<String, Candidate> all) {
    all.putIfAbsent(settings.toString(), candidate(settings));
  }

  /** {@return a candidate, which runs on the machine of each trace} */
  private Candidate candidate(NettySettings settings) {
    return new Candidate(
        settings.toString(),
        settings.paste(),
        Optional.empty(),
        settings.count(),
        new NettyRules(engine, Optional.of(NettySettings.parse(settings.toString())), limitBytes),
        Optional.empty());
  }

  private static NettySettings recorded(TunedTrace trace) {
    return trace.program().map(NettySettings::recorded).orElseGet(NettySettings::defaults);
  }

  @Override
  public Candidate baseline(List<Candidate> candidates, TunedTrace trace) {
    return Candidate.withSettings(candidates, recorded(trace).toString());
  }
}
