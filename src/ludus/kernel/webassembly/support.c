/* What compiled code needs of Numba's runtime, which a browser lacks: memory with reference counts, and a few functions
   on numbers.  `webassembly.py` links it, with the C library of the linker's package for the rest. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- memory ---- */

enum { PAGE = 65536, LINE = 64 };
static uintptr_t next, end; /* memory that `reserve` has in hand */

/* Return zeroed memory that is never given back, at a whole cache line; 0 if there is none left. */
__attribute__((export_name("reserve"))) void *reserve(uint32_t size) {
  uint64_t whole = ((uint64_t)size + LINE - 1) / LINE * LINE;
  if (whole > end - next) {
    uint64_t pages = (whole + PAGE - 1) / PAGE;
    size_t before = pages < PAGE ? __builtin_wasm_memory_grow(0, pages) : SIZE_MAX;
    if (before == SIZE_MAX) return 0;
    if (before * PAGE != end) next = before * PAGE;
    end = before * PAGE + pages * PAGE;
  }
  next += whole;
  return (void *)(next - whole);
}

/* A piece of memory with a count, as compiled code reads it. */
typedef struct Info {
  uint64_t count;
  void (*destroy)(void *data, uint64_t size, void *told);
  void *told;
  void *data;
  uint64_t size;
} Info;

void *NRT_Allocate(uint64_t size) { return size < UINT32_MAX ? malloc(size) : 0; }
void NRT_Free(void *data) { free(data); }

static Info *made(uint64_t room, uint64_t size, void *told) {
  Info *info = NRT_Allocate(sizeof(Info) + room);
  if (info) *info = (Info){1, 0, told, info + 1, size};
  return info;
}

Info *NRT_MemInfo_alloc_aligned(uint64_t size, uint32_t align) {
  Info *info = made(size + align, size, 0);
  if (info && align > 1) info->data = (void *)(((uintptr_t)info->data + align - 1) / align * align);
  return info;
}
Info *NRT_MemInfo_alloc(uint64_t size) { return made(size, size, 0); }
Info *NRT_MemInfo_alloc_safe(uint64_t size) { return made(size, size, 0); }
Info *NRT_MemInfo_alloc_safe_aligned(uint64_t size, uint32_t align) { return NRT_MemInfo_alloc_aligned(size, align); }
void NRT_MemInfo_call_dtor(Info *info) {
  if (info->destroy) info->destroy(info->data, info->size, info->told);
  free(info);
}

/* Memory that grows, as lists have it. */
static void drop(void *data, uint64_t size, void *told) {
  (void)size;
  if (told) ((void (*)(void *))told)(data);
  free(data);
}
Info *NRT_MemInfo_new_varsize_dtor(uint64_t size, void *told) {
  Info *info = made(0, size, told);
  if (!info) return 0;
  info->destroy = drop;
  if ((info->data = NRT_Allocate(size))) return info;
  free(info);
  return 0;
}
Info *NRT_MemInfo_new_varsize(uint64_t size) { return NRT_MemInfo_new_varsize_dtor(size, 0); }
static void *put(Info *info, void *data, uint64_t size) {
  if (data) info->data = data, info->size = size;
  return data;
}
void *NRT_MemInfo_varsize_alloc(Info *info, uint64_t size) { return put(info, NRT_Allocate(size), size); }
void *NRT_MemInfo_varsize_realloc(Info *info, uint64_t size) {
  return put(info, size < UINT32_MAX ? realloc(info->data, size) : 0, size);
}
void NRT_MemInfo_varsize_free(Info *info, void *data) {
  free(data);
  if (info->data == data) info->data = 0;
}

/* Write the strides of an array without gaps under a new shape; compiled code asks this of no other arrays. */
int numba_attempt_nocopy_reshape(int64_t axes, int64_t *shape, int64_t *strides, int64_t newAxes, int64_t *newShape,
                                 int64_t *newStrides, int64_t itemsize, int columnsFirst) {
  (void)axes, (void)shape, (void)strides;
  for (int64_t k = 0, stride = itemsize; k < newAxes; k++) {
    int64_t axis = columnsFirst ? k : newAxes - 1 - k;
    newStrides[axis] = stride;
    stride *= newShape[axis];
  }
  return 1;
}

/* ---- numbers ---- */

double numba_frexp(double x, int *exponent) {
  *exponent = 0;
  return isfinite(x) && x != 0 ? frexp(x, exponent) : x;
}
double numba_ldexp(double x, int exponent) { return ldexp(x, exponent); }
