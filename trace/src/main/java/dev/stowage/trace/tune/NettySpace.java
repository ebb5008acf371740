package dev.stowage.trace.tune;

import dev.stowage.trace.netty.NettyRules;
import dev.stowage.trace.netty.NettySettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The settings of Netty's adaptive and pooled allocators that a search tries.
 *
 * <p>The unpooled allocator needs least memory by definition, but a call of the system for each
 * buffer. It is not among them.
 */
final class NettySpace implements SettingsSpace {

  private static final String SMALL_CACHE = "smallCacheSize";
  private static final String NORMAL_CACHE = "normalCacheSize";

  private final OptionalLong limitBytes;

  NettySpace(OptionalLong limitBytes) {
    this.limitBytes = limitBytes;
  }

  @Override
  public List<Candidate> candidates(List<TunedTrace> traces) {
    Map<String, Candidate> all = new LinkedHashMap<>();
    add(NettySettings.defaults(), all);
    traces.forEach(trace -> add(recorded(trace), all));
    adaptive().forEach(settings -> add(settings, all));
    pooled().forEach(settings -> add(settings, all));
    return List.copyOf(all.values());
  }

  private static List<NettySettings> adaptive() {
    NettySettings usual = NettySettings.defaults();
    List<NettySettings> all = new ArrayList<>();
    all.add(usual.with("lowMemory", true));
    for (NettySettings queue : List.of(usual, usual.with("chunkReuseQueueCapacity", 2))) {
      all.add(queue);
      for (int mebibytes : new int[] {4, 2, 1}) {
        all.add(queue.with("threadLocalChunkCacheMaxBytes", mebibytes << 20));
      }
    }
    return all;
  }

  private static List<NettySettings> pooled() {
    NettySettings usual = NettySettings.defaults().with("type", "pooled");
    List<NettySettings> all = new ArrayList<>();
    for (NettySettings arenas : List.of(usual, usual.with("numDirectArenas", 1))) {
      for (NettySettings caches :
          List.of(
              arenas,
              arenas.with(SMALL_CACHE, 64).with(NORMAL_CACHE, 16),
              arenas.with(SMALL_CACHE, 0).with(NORMAL_CACHE, 0))) {
        all.add(caches);
        for (int order : new int[] {8, 7, 6, 5, 4}) {
          all.add(caches.with("maxOrder", order));
        }
      }
    }
    return all;
  }

  private void add(NettySettings settings, Map<String, Candidate> all) {
    all.putIfAbsent(settings.toString(), candidate(settings));
  }

  /** {@return a candidate, which runs on the machine of each trace} */
  private Candidate candidate(NettySettings settings) {
    return new Candidate(
        settings.toString(),
        settings.arguments(),
        Optional.empty(),
        settings.count(),
        new NettyRules(Optional.of(NettySettings.parse(settings.toString())), limitBytes),
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
