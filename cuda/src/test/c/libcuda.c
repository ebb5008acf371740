/*
 * A stand-in for the library of the CUDA driver, for tests on machines without a GPU. It has the
 * functions that the module uses, and enforces the driver's rules for callers.
 *
 * - Device addresses are numbers that the host cannot dereference; malloc provides the memory.
 * - Queued work runs only when a caller waits for it, so that a caller that does not wait gets a wrong
 *   result. Each query of an event runs one piece of work, so that polling makes progress.
 * - No stream waits for the default stream, or the reverse: callers must create non-blocking streams.
 * - A call fails as the driver's manual says if there is no current context, a handle has ended, a
 *   struct is not filled in as declared, or a size is not a multiple of the granularity.
 * - A copy or fill that accesses freed memory fails when it runs, and its stream fails with it.
 *
 * The functions standin_* are for the tests: they reset the state, report the live objects, and make a
 * call fail. By default, there are two devices of 1 GiB.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700,
  CONTEXT_IS_DESTROYED = 709,
  NOT_SUPPORTED = 801,
  UNKNOWN = 999
};

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef uint64_t Handle;

typedef struct {
  int type;
  int id;
} Location;

typedef struct {
  int type;
  int handleTypes;
  Location location;
  void *win32;
  unsigned char flags[8];
} AllocationProp;

typedef struct {
  Location location;
  int flags;
} AccessDesc;

_Static_assert(sizeof(AllocationProp) == 32, "CUmemAllocationProp has 32 bytes");
_Static_assert(sizeof(AccessDesc) == 12, "CUmemAccessDesc has 12 bytes");

enum { DEVICES = 2, GRANULE = 65536, ALIGNMENT = 512 };

/* Where addresses and handles start: numbers that cannot be taken for one another. */
#define FIRST_ADDRESS 0x700000000000u
#define FIRST_HANDLE 0x4000u

/* One of everything that is alive; kinds are told apart by lists. */
typedef struct Thing {
  struct Thing *next;
  Handle handle; /* or address */
  int device;
  uint64_t bytes;
  unsigned char *memory;
  struct Thing *physical; /* of a mapping */
  int mapped;             /* of physical memory: how often */
  int released;           /* of physical memory: its handle */
  int accessible;         /* of a mapping */
  struct Op *queue;       /* of a stream */
  int failure;            /* of a stream: told by who waits next */
  uint64_t recorded, done; /* of an event */
  struct Thing *stream;    /* of an event: where it was last recorded */
} Thing;

enum OpKind { FROM_HOST, TO_HOST, WITHIN, FILL, RECORD, WAIT };

typedef struct Op {
  struct Op *next;
  enum OpKind kind;
  CUdeviceptr target, source;
  int peer; /* of a copy from another device: its number + 1 */
  void *host;
  uint64_t bytes;
  unsigned char value;
  Thing *event;
  uint64_t sequence;
} Op;

/* What tests ask for; the order is known to them. */
enum Kind { ALLOCATIONS, RESERVATIONS, MAPPINGS, PHYSICALS, STREAMS, EVENTS, PINNED, KINDS };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Thing *things[KINDS];
static Thing *endedThings; /* kept, since work may still be queued in them or wait for them */
static Thing defaultStreams[DEVICES] = {{.device = 0}, {.device = 1}};
static int initialized;
static int deviceCount = DEVICES;
static int virtualMemory = 1;
static int unifiedMemory = 1;
static uint64_t totalBytes = 1u << 30;
static uint64_t usedBytes[DEVICES];
static int contexts[DEVICES];
static CUdeviceptr nextAddress = FIRST_ADDRESS;
static Handle nextHandle = FIRST_HANDLE;
static uint64_t generation;
static char failingName[64];
static int failingCall, failingCode;
static _Thread_local Handle current;
static _Thread_local uint64_t currentGeneration;

static Handle contextOf(int device) { return 0x1000 + (generation << 8) + (Handle)device; }

static int fails(const char *name) {
  return failingCall > 0 && strcmp(name, failingName) == 0 && --failingCall == 0;
}

static CUresult done(CUresult code) {
  pthread_mutex_unlock(&lock);
  return code;
}

/* Every function starts with one of these and returns through done(). */
#define ENTER()                            \
  pthread_mutex_lock(&lock);               \
  if (fails(__func__)) {                   \
    return done(failingCode);              \
  }                                        \
  if (!initialized) {                      \
    return done(NOT_INITIALIZED);          \
  }
#define ENTER_CONTEXT()                    \
  ENTER()                                  \
  int device = currentDevice();            \
  if (device < 0) {                        \
    return done(-device);                  \
  }

static int currentDevice(void) {
  if (current == 0 || currentGeneration != generation) {
    return -INVALID_CONTEXT;
  }
  int device = (int)(current - contextOf(0));
  return contexts[device] > 0 ? device : -CONTEXT_IS_DESTROYED;
}

static Thing *add(enum Kind kind, Handle handle, int device, uint64_t bytes) {
  Thing *thing = calloc(1, sizeof *thing);
  thing->handle = handle;
  thing->device = device;
  thing->bytes = bytes;
  thing->next = things[kind];
  things[kind] = thing;
  return thing;
}

static Thing *find(enum Kind kind, Handle handle) {
  Thing *thing = things[kind];
  while (thing && thing->handle != handle) {
    thing = thing->next;
  }
  return thing;
}

static void removeFrom(enum Kind kind, Thing *thing) {
  Thing **link = &things[kind];
  while (*link != thing) {
    link = &(*link)->next;
  }
  *link = thing->next;
  if (kind == STREAMS || kind == EVENTS) {
    thing->next = endedThings;
    endedThings = thing;
  } else {
    free(thing);
  }
}

static unsigned char *fresh(uint64_t bytes) { return memset(malloc(bytes), 0xA5, bytes); }

/* Work. */

static Thing *holding(CUdeviceptr address, int device) {
  for (int kind = ALLOCATIONS; kind <= MAPPINGS; kind += MAPPINGS - ALLOCATIONS) {
    for (Thing *thing = things[kind]; thing; thing = thing->next) {
      if (address >= thing->handle && address - thing->handle < thing->bytes) {
        return thing->device == device && (kind == ALLOCATIONS || thing->accessible) ? thing : NULL;
      }
    }
  }
  return NULL;
}

/* The memory behind an address and how much of it lies together; NULL if there is none. */
static unsigned char *behind(CUdeviceptr address, int device, uint64_t *bytes) {
  Thing *thing = holding(address, device);
  if (!thing) {
    return NULL;
  }
  uint64_t offset = address - thing->handle;
  if (*bytes > thing->bytes - offset) {
    *bytes = thing->bytes - offset;
  }
  return (thing->physical ? thing->physical->memory : thing->memory) + offset;
}

/* Whether a range has memory: within one allocation, or in mappings one after the other. */
static int isThere(CUdeviceptr address, uint64_t bytes, int device) {
  Thing *first = holding(address, device);
  while (bytes > 0) {
    Thing *thing = holding(address, device);
    if (!thing || (thing != first && (!thing->physical || !first->physical))) {
      return 0;
    }
    uint64_t rest = thing->bytes - (address - thing->handle);
    uint64_t part = bytes < rest ? bytes : rest;
    address += part;
    bytes -= part;
  }
  return 1;
}

static int sourceDevice(const Op *op, int device) { return op->peer ? op->peer - 1 : device; }

static int canRun(const Op *op, int device) {
  int target = op->kind == TO_HOST || isThere(op->target, op->bytes, device);
  int source = op->kind == FROM_HOST || op->kind == FILL
               || isThere(op->source, op->bytes, sourceDevice(op, device));
  return target && source;
}

static void move(const Op *op, int device) {
  for (uint64_t i = 0, part; i < op->bytes; i += part) {
    part = op->bytes - i;
    unsigned char *from = op->kind == FROM_HOST ? (unsigned char *)op->host + i
                          : op->kind == FILL    ? NULL
                                                : behind(op->source + i, sourceDevice(op, device), &part);
    unsigned char *to = op->kind == TO_HOST ? (unsigned char *)op->host + i
                                            : behind(op->target + i, device, &part);
    if (from) {
      memcpy(to, from, part);
    } else {
      memset(to, op->value, part);
    }
  }
}

static void runUntil(Thing *event, uint64_t sequence);

/* Lets the first thing that is queued in a stream happen. */
static void runOne(Thing *stream) {
  Op *op = stream->queue;
  stream->queue = op->next;
  if (op->kind == RECORD) {
    op->event->done = op->sequence > op->event->done ? op->sequence : op->event->done;
  } else if (op->kind == WAIT) {
    runUntil(op->event, op->sequence);
  } else if (fails("work") || !canRun(op, stream->device)) {
    stream->failure = stream->failure ? stream->failure : ILLEGAL_ADDRESS;
  } else {
    move(op, stream->device);
  }
  free(op);
}

static void runUntil(Thing *event, uint64_t sequence) {
  while (event->done < sequence && event->stream && event->stream->queue) {
    runOne(event->stream);
  }
}

static CUresult finish(Thing *stream) {
  while (stream->queue) {
    runOne(stream);
  }
  CUresult failure = stream->failure;
  stream->failure = OK;
  return failure;
}

static CUresult finishDevice(int device) {
  CUresult failure = finish(&defaultStreams[device]);
  for (int ended = 0; ended < 2; ended++) {
    for (Thing *each = ended ? endedThings : things[STREAMS]; each; each = each->next) {
      if (each->device == device) {
        CUresult code = finish(each);
        failure = failure ? failure : code;
      }
    }
  }
  return failure;
}

static void enqueue(Thing *stream, Op op) {
  Op **end = &stream->queue;
  while (*end) {
    end = &(*end)->next;
  }
  *end = malloc(sizeof op);
  **end = op;
}

static Thing *streamOf(Handle handle, int device) {
  Thing *stream = handle == 0 ? &defaultStreams[device] : find(STREAMS, handle);
  return stream && stream->device == device ? stream : NULL;
}

static CUresult queue(Handle handle, int device, Op op) {
  Thing *stream = streamOf(handle, device);
  if (!stream) {
    return INVALID_HANDLE;
  }
  if (op.kind < RECORD && (op.bytes == 0 || !canRun(&op, device))) {
    return INVALID_VALUE; /* a driver accepts no bytes, but no caller should request that */
  }
  enqueue(stream, op);
  return OK;
}

/* Queues in the default stream, and waits where the driver does. */
static CUresult queueDefault(int device, Op op, int waits) {
  CUresult code = queue(0, device, op);
  return code == OK && waits ? finish(&defaultStreams[device]) : code;
}

/* For tests. */

void standin_reset(int devices, uint64_t bytes) {
  pthread_mutex_lock(&lock);
  for (int kind = 0; kind < KINDS; kind++) {
    things[kind] = NULL; /* what a test left alive is lost; it failed anyway */
  }
  endedThings = NULL;
  memset(defaultStreams, 0, sizeof defaultStreams);
  memset(usedBytes, 0, sizeof usedBytes);
  memset(contexts, 0, sizeof contexts);
  for (int device = 0; device < DEVICES; device++) {
    defaultStreams[device].device = device;
  }
  initialized = 0;
  virtualMemory = 1;
  unifiedMemory = 1;
  deviceCount = devices;
  totalBytes = bytes;
  nextAddress = FIRST_ADDRESS;
  nextHandle = FIRST_HANDLE;
  failingCall = 0;
  generation++;
  pthread_mutex_unlock(&lock);
}

void standin_no_virtual_memory(void) {
  virtualMemory = 0;
  unifiedMemory = 0;
}

/* Lets the n-th call of a function from now on fail, or the n-th copy or fill of "work". */
void standin_fail(const char *name, int n, int code) {
  pthread_mutex_lock(&lock);
  snprintf(failingName, sizeof failingName, "%s", name);
  failingCall = n;
  failingCode = code;
  pthread_mutex_unlock(&lock);
}

int64_t standin_alive(int kind) {
  int64_t count = 0;
  pthread_mutex_lock(&lock);
  for (Thing *thing = things[kind]; thing; thing = thing->next) {
    count++;
  }
  pthread_mutex_unlock(&lock);
  return count;
}

int standin_contexts(int device) { return contexts[device]; }

uint64_t standin_used_bytes(int device) { return usedBytes[device]; }

/* The contexts of a thread. */
int standin_current_device(void) { return current ? (int)(current - contextOf(0)) : -1; }

void standin_set_current_device(int device) {
  current = device < 0 ? 0 : contextOf(device);
  currentGeneration = generation;
}

/* Devices and contexts. */

CUresult cuInit(unsigned flags) {
  pthread_mutex_lock(&lock);
  if (fails(__func__)) {
    return done(failingCode);
  }
  if (flags != 0) {
    return done(INVALID_VALUE);
  }
  if (deviceCount == 0) {
    return done(NO_DEVICE);
  }
  initialized = 1;
  return done(OK);
}

CUresult cuGetErrorName(CUresult code, const char **name) {
  switch (code) {
    case INVALID_VALUE: *name = "CUDA_ERROR_INVALID_VALUE"; return OK;
    case OUT_OF_MEMORY: *name = "CUDA_ERROR_OUT_OF_MEMORY"; return OK;
    case NOT_INITIALIZED: *name = "CUDA_ERROR_NOT_INITIALIZED"; return OK;
    case NO_DEVICE: *name = "CUDA_ERROR_NO_DEVICE"; return OK;
    case INVALID_DEVICE: *name = "CUDA_ERROR_INVALID_DEVICE"; return OK;
    case INVALID_CONTEXT: *name = "CUDA_ERROR_INVALID_CONTEXT"; return OK;
    case INVALID_HANDLE: *name = "CUDA_ERROR_INVALID_HANDLE"; return OK;
    case NOT_READY: *name = "CUDA_ERROR_NOT_READY"; return OK;
    case ILLEGAL_ADDRESS: *name = "CUDA_ERROR_ILLEGAL_ADDRESS"; return OK;
    case CONTEXT_IS_DESTROYED: *name = "CUDA_ERROR_CONTEXT_IS_DESTROYED"; return OK;
    case NOT_SUPPORTED: *name = "CUDA_ERROR_NOT_SUPPORTED"; return OK;
    case UNKNOWN: *name = "CUDA_ERROR_UNKNOWN"; return OK;
    default: *name = NULL; return INVALID_VALUE;
  }
}

CUresult cuDeviceGetCount(int *count) {
  ENTER()
  *count = deviceCount;
  return done(OK);
}

CUresult cuDeviceGet(CUdevice *result, int ordinal) {
  ENTER()
  if (ordinal < 0 || ordinal >= deviceCount) {
    return done(INVALID_DEVICE);
  }
  *result = ordinal;
  return done(OK);
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
  ENTER()
  snprintf(name, (size_t)bytes, "Stand-in %c", 'A' + device);
  return done(OK);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  ENTER()
  (void)device;
  *bytes = totalBytes;
  return done(OK);
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  ENTER()
  if (attribute == 75) { /* the compute capability: 7.x and 8.x */
    *value = 7 + device;
    return done(OK);
  }
  *value = attribute == 89 ? unifiedMemory : virtualMemory;
  return done(attribute == 102 || attribute == 89 ? OK : INVALID_VALUE);
}

CUresult cuDevicePrimaryCtxRetain(Handle *context, CUdevice device) {
  ENTER()
  contexts[device]++;
  *context = contextOf(device);
  return done(OK);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  ENTER()
  if (contexts[device] == 0) {
    return done(INVALID_CONTEXT);
  }
  contexts[device]--;
  return done(OK);
}

CUresult cuCtxGetCurrent(Handle *context) {
  ENTER()
  *context = currentGeneration == generation ? current : 0;
  return done(OK);
}

CUresult cuCtxSetCurrent(Handle context) {
  ENTER()
  if (context != 0 && (context < contextOf(0) || context >= contextOf(DEVICES))) {
    return done(INVALID_CONTEXT);
  }
  current = context;
  currentGeneration = generation;
  return done(OK);
}

CUresult cuCtxSynchronize(void) {
  ENTER_CONTEXT()
  return done(finishDevice(device));
}

/* Memory. */

CUresult cuMemGetInfo_v2(size_t *available, size_t *total) {
  ENTER_CONTEXT()
  *available = usedBytes[device] < totalBytes ? totalBytes - usedBytes[device] : 0;
  *total = totalBytes;
  return done(OK);
}

static CUresult allocate(CUdeviceptr *address, size_t bytes, int device) {
  if (bytes == 0) {
    return INVALID_VALUE;
  }
  if (usedBytes[device] > totalBytes || bytes > totalBytes - usedBytes[device]) {
    return OUT_OF_MEMORY;
  }
  *address = nextAddress;
  nextAddress += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; /* neighbours touch */
  usedBytes[device] += bytes;
  add(ALLOCATIONS, *address, device, bytes)->memory = fresh(bytes);
  return OK;
}

static CUresult deallocate(CUdeviceptr address) {
  Thing *thing = find(ALLOCATIONS, address);
  if (!thing) {
    return INVALID_VALUE;
  }
  usedBytes[thing->device] -= thing->bytes;
  free(thing->memory);
  removeFrom(ALLOCATIONS, thing);
  return OK;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  ENTER_CONTEXT()
  return done(allocate(address, bytes, device));
}

/* Unified memory is memory of the host, up to twice the memory of the device. */
CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  ENTER_CONTEXT()
  if (bytes == 0 || flags != 1) {
    return done(INVALID_VALUE);
  }
  if (bytes > 2 * totalBytes - usedBytes[device]) {
    return done(OUT_OF_MEMORY);
  }
  size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  unsigned char *memory = aligned_alloc(ALIGNMENT, rounded);
  if (!memory) {
    return done(OUT_OF_MEMORY);
  }
  memset(memory, 0xA5, bytes);
  *address = (CUdeviceptr)(uintptr_t)memory;
  usedBytes[device] += bytes;
  add(ALLOCATIONS, *address, device, bytes)->memory = memory;
  return done(OK);
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  ENTER_CONTEXT()
  CUresult code = finishDevice(device);
  return done(code == OK ? deallocate(address) : code);
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, Handle stream) {
  ENTER_CONTEXT()
  return done(streamOf(stream, device) ? allocate(address, bytes, device) : INVALID_HANDLE);
}

CUresult cuMemFreeAsync(CUdeviceptr address, Handle stream) {
  ENTER_CONTEXT()
  Thing *freeing = streamOf(stream, device);
  if (!freeing) {
    return done(INVALID_HANDLE);
  }
  CUresult code = finish(freeing);
  return done(code == OK ? deallocate(address) : code);
}

CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  ENTER_CONTEXT()
  if (bytes == 0 || flags > 7) {
    return done(INVALID_VALUE);
  }
  if (bytes > (size_t)1 << 40) {
    return done(OUT_OF_MEMORY);
  }
  *address = fresh(bytes);
  add(PINNED, (Handle)(uintptr_t)*address, device, bytes);
  return done(OK);
}

CUresult cuMemFreeHost(void *address) {
  ENTER_CONTEXT()
  Thing *thing = find(PINNED, (Handle)(uintptr_t)address);
  if (!thing) {
    return done(INVALID_VALUE);
  }
  CUresult code = finishDevice(device);
  removeFrom(PINNED, thing);
  free(address);
  return done(code);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr target, void *source, size_t bytes) {
  ENTER_CONTEXT()
  Op op = {.kind = FROM_HOST, .target = target, .host = source, .bytes = bytes};
  return done(queueDefault(device, op, 1));
}

CUresult cuMemcpyDtoH_v2(void *target, CUdeviceptr source, size_t bytes) {
  ENTER_CONTEXT()
  Op op = {.kind = TO_HOST, .host = target, .source = source, .bytes = bytes};
  return done(queueDefault(device, op, 1));
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr target, CUdeviceptr source, size_t bytes) {
  ENTER_CONTEXT()
  Op op = {.kind = WITHIN, .target = target, .source = source, .bytes = bytes};
  return done(queueDefault(device, op, 0));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr target, Handle targetContext, CUdeviceptr source,
                           Handle sourceContext, size_t bytes, Handle stream) {
  ENTER_CONTEXT()
  int from = (int)(sourceContext - contextOf(0));
  if (targetContext != contextOf(device) || from < 0 || from >= deviceCount || contexts[from] == 0) {
    return done(INVALID_CONTEXT);
  }
  Op op = {.kind = WITHIN, .target = target, .source = source, .bytes = bytes, .peer = from + 1};
  return done(queue(stream, device, op));
}

CUresult cuMemsetD8_v2(CUdeviceptr target, unsigned char value, size_t bytes) {
  ENTER_CONTEXT()
  Op op = {.kind = FILL, .target = target, .value = value, .bytes = bytes};
  return done(queueDefault(device, op, 0));
}

/* Virtual memory. */

static int isWhole(uint64_t bytes) { return bytes % GRANULE == 0; }

static int isProper(const AllocationProp *prop, int device) {
  static const unsigned char noFlags[8];
  return prop->type == 1 && prop->handleTypes == 0 && prop->location.type == 1
      && prop->location.id == device && prop->win32 == NULL
      && memcmp(prop->flags, noFlags, sizeof noFlags) == 0;
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const AllocationProp *prop, int option) {
  ENTER_CONTEXT()
  if (!isProper(prop, device) || option < 0 || option > 1) {
    return done(INVALID_VALUE);
  }
  *bytes = GRANULE;
  return done(OK);
}

CUresult cuMemAddressReserve(
    CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wish, uint64_t flags) {
  ENTER_CONTEXT()
  if (bytes == 0 || !isWhole(bytes) || (alignment & (alignment - 1)) != 0 || wish || flags) {
    return done(INVALID_VALUE);
  }
  uint64_t step = alignment > GRANULE ? alignment : GRANULE;
  nextAddress = (nextAddress + step - 1) / step * step;
  *address = nextAddress;
  nextAddress += bytes;
  add(RESERVATIONS, *address, device, bytes);
  return done(OK);
}

static int overlaps(const Thing *thing, CUdeviceptr address, uint64_t bytes) {
  return thing->handle < address + bytes && address < thing->handle + thing->bytes;
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  ENTER_CONTEXT()
  Thing *reservation = find(RESERVATIONS, address);
  if (!reservation || reservation->bytes != bytes) {
    return done(INVALID_VALUE);
  }
  for (Thing *each = things[MAPPINGS]; each; each = each->next) {
    if (overlaps(each, address, bytes)) {
      return done(INVALID_VALUE);
    }
  }
  removeFrom(RESERVATIONS, reservation);
  return done(OK);
}

CUresult cuMemCreate(
    Handle *handle, size_t bytes, const AllocationProp *prop, unsigned long long flags) {
  ENTER_CONTEXT()
  if (bytes == 0 || !isWhole(bytes) || !isProper(prop, device) || flags) {
    return done(INVALID_VALUE);
  }
  if (bytes > totalBytes - usedBytes[device]) {
    return done(OUT_OF_MEMORY);
  }
  usedBytes[device] += bytes;
  *handle = nextHandle++;
  add(PHYSICALS, *handle, device, bytes)->memory = fresh(bytes);
  return done(OK);
}

/* Memory ends when neither a handle nor a mapping holds it. */
static void endIfUnused(Thing *physical) {
  if (physical->released && physical->mapped == 0) {
    usedBytes[physical->device] -= physical->bytes;
    free(physical->memory);
    removeFrom(PHYSICALS, physical);
  }
}

CUresult cuMemRelease(Handle handle) {
  ENTER_CONTEXT()
  Thing *physical = find(PHYSICALS, handle);
  if (!physical || physical->released) {
    return done(INVALID_VALUE);
  }
  physical->released = 1;
  endIfUnused(physical);
  return done(OK);
}

CUresult cuMemMap(
    CUdeviceptr address, size_t bytes, size_t offset, Handle handle, unsigned long long flags) {
  ENTER_CONTEXT()
  Thing *physical = find(PHYSICALS, handle);
  if (!physical || physical->released || physical->bytes != bytes || address % GRANULE || offset
      || flags) {
    return done(INVALID_VALUE);
  }
  Thing *reservation = things[RESERVATIONS];
  while (reservation
      && !(address >= reservation->handle
          && address + bytes <= reservation->handle + reservation->bytes)) {
    reservation = reservation->next;
  }
  if (!reservation) {
    return done(INVALID_VALUE);
  }
  for (Thing *each = things[MAPPINGS]; each; each = each->next) {
    if (overlaps(each, address, bytes)) {
      return done(INVALID_VALUE);
    }
  }
  physical->mapped++;
  add(MAPPINGS, address, device, bytes)->physical = physical;
  return done(OK);
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const AccessDesc *access, size_t count) {
  ENTER_CONTEXT()
  if (count != 1 || access->location.type != 1 || access->location.id != device
      || access->flags != 3) {
    return done(INVALID_VALUE);
  }
  for (CUdeviceptr at = address; at != address + bytes; at += find(MAPPINGS, at)->bytes) {
    if (at > address + bytes || !find(MAPPINGS, at)) {
      return done(INVALID_VALUE);
    }
  }
  for (CUdeviceptr at = address; at != address + bytes; at += find(MAPPINGS, at)->bytes) {
    find(MAPPINGS, at)->accessible = 1;
  }
  return done(bytes == 0 ? INVALID_VALUE : OK);
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  ENTER_CONTEXT()
  Thing *mapping = find(MAPPINGS, address);
  if (!mapping || mapping->bytes != bytes) {
    return done(INVALID_VALUE);
  }
  mapping->physical->mapped--;
  endIfUnused(mapping->physical);
  removeFrom(MAPPINGS, mapping);
  return done(OK); /* without waiting for work */
}

/* Streams and events. */

CUresult cuStreamCreate(Handle *stream, unsigned flags) {
  ENTER_CONTEXT()
  if (flags != 1) {
    return done(INVALID_VALUE); /* one that waits for the default stream hides who forgot to wait */
  }
  *stream = nextHandle++;
  add(STREAMS, *stream, device, 0);
  return done(OK);
}

CUresult cuStreamSynchronize(Handle handle) {
  ENTER_CONTEXT()
  Thing *stream = streamOf(handle, device);
  return done(stream ? finish(stream) : INVALID_HANDLE);
}

CUresult cuStreamDestroy_v2(Handle handle) {
  ENTER_CONTEXT()
  Thing *stream = handle == 0 ? NULL : streamOf(handle, device);
  if (!stream) {
    return done(INVALID_HANDLE);
  }
  removeFrom(STREAMS, stream); /* with what is queued: it happens some time */
  return done(OK);
}

CUresult cuStreamWaitEvent(Handle stream, Handle handle, unsigned flags) {
  ENTER_CONTEXT()
  Thing *event = find(EVENTS, handle);
  if (!event || flags) {
    return done(INVALID_HANDLE);
  }
  Op op = {.kind = WAIT, .event = event, .sequence = event->recorded};
  return done(queue(stream, device, op));
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr target, void *source, size_t bytes, Handle stream) {
  ENTER_CONTEXT()
  Op op = {.kind = FROM_HOST, .target = target, .host = source, .bytes = bytes};
  return done(queue(stream, device, op));
}

CUresult cuMemcpyDtoHAsync_v2(void *target, CUdeviceptr source, size_t bytes, Handle stream) {
  ENTER_CONTEXT()
  Op op = {.kind = TO_HOST, .host = target, .source = source, .bytes = bytes};
  return done(queue(stream, device, op));
}

CUresult cuMemcpyDtoDAsync_v2(
    CUdeviceptr target, CUdeviceptr source, size_t bytes, Handle stream) {
  ENTER_CONTEXT()
  Op op = {.kind = WITHIN, .target = target, .source = source, .bytes = bytes};
  return done(queue(stream, device, op));
}

CUresult cuMemsetD8Async(CUdeviceptr target, unsigned char value, size_t bytes, Handle stream) {
  ENTER_CONTEXT()
  Op op = {.kind = FILL, .target = target, .value = value, .bytes = bytes};
  return done(queue(stream, device, op));
}

CUresult cuEventCreate(Handle *event, unsigned flags) {
  ENTER_CONTEXT()
  if (flags != 2) {
    return done(INVALID_VALUE);
  }
  *event = nextHandle++;
  add(EVENTS, *event, device, 0);
  return done(OK);
}

CUresult cuEventRecord(Handle handle, Handle stream) {
  ENTER_CONTEXT()
  Thing *event = find(EVENTS, handle);
  if (!event || event->device != device || !streamOf(stream, device)) {
    return done(INVALID_HANDLE);
  }
  event->stream = streamOf(stream, device);
  Op op = {.kind = RECORD, .event = event, .sequence = ++event->recorded};
  return done(queue(stream, device, op));
}

CUresult cuEventQuery(Handle handle) {
  ENTER_CONTEXT()
  Thing *event = find(EVENTS, handle);
  if (!event) {
    return done(INVALID_HANDLE);
  }
  if (event->done == event->recorded) {
    return done(OK);
  }
  runOne(event->stream);
  return done(NOT_READY);
}

CUresult cuEventSynchronize(Handle handle) {
  ENTER_CONTEXT()
  Thing *event = find(EVENTS, handle);
  if (!event) {
    return done(INVALID_HANDLE);
  }
  runUntil(event, event->recorded);
  return done(OK);
}

CUresult cuEventDestroy_v2(Handle handle) {
  ENTER_CONTEXT()
  Thing *event = find(EVENTS, handle);
  if (!event) {
    return done(INVALID_HANDLE);
  }
  removeFrom(EVENTS, event);
  return done(OK);
}
