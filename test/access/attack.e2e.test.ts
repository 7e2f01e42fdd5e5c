import { attackSuite } from './attack-suite.ts';
import { startGateway } from './gateway-process.ts';

attackSuite(startGateway, { holdsStreams: true });
